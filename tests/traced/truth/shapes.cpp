// C++: virtual functions, templates, the standard library's containers and algorithms, lambdas.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

class Visitor;

struct Expression {
    virtual ~Expression() = default;
    virtual double value(const std::map<std::string, double>& variables) const = 0;
    virtual void accept(Visitor& visitor) const = 0;
};

struct Number : Expression {
    double number;
    explicit Number(double n) : number(n) {}
    double value(const std::map<std::string, double>&) const override { return number; }
    void accept(Visitor& visitor) const override;
};

struct Variable : Expression {
    std::string name;
    explicit Variable(std::string n) : name(std::move(n)) {}
    double value(const std::map<std::string, double>& variables) const override {
        return variables.at(name);
    }
    void accept(Visitor& visitor) const override;
};

template <typename Operation>
struct Binary : Expression {
    std::shared_ptr<Expression> left, right;
    Binary(std::shared_ptr<Expression> l, std::shared_ptr<Expression> r)
        : left(std::move(l)), right(std::move(r)) {}
    double value(const std::map<std::string, double>& variables) const override {
        return Operation()(left->value(variables), right->value(variables));
    }
    void accept(Visitor& visitor) const override;
};

class Visitor {
  public:
    virtual ~Visitor() = default;
    virtual void leaf() = 0;
    virtual void node(const Expression& left, const Expression& right) = 0;
};

void Number::accept(Visitor& visitor) const {
    visitor.leaf();
}
void Variable::accept(Visitor& visitor) const {
    visitor.leaf();
}
template <typename Operation>
void Binary<Operation>::accept(Visitor& visitor) const {
    visitor.node(*left, *right);
}

class Counter : public Visitor {
  public:
    int leaves = 0, nodes = 0;
    void leaf() override { leaves++; }
    void node(const Expression& left, const Expression& right) override {
        nodes++;
        left.accept(*this);
        right.accept(*this);
    }
};

template <typename Operation>
std::shared_ptr<Expression> binary(std::shared_ptr<Expression> a, std::shared_ptr<Expression> b) {
    return std::make_shared<Binary<Operation>>(std::move(a), std::move(b));
}

std::shared_ptr<Expression> build(int depth) {
    if (depth == 0) return std::make_shared<Variable>("x");
    if (depth % 3 == 0)
        return binary<std::plus<double>>(build(depth - 1), std::make_shared<Number>(depth));
    if (depth % 3 == 1) return binary<std::multiplies<double>>(build(depth - 1), build(depth - 1));
    return binary<std::minus<double>>(build(depth - 1), build(depth - 1));
}

template <int N>
int sum_down() {
    if constexpr (N == 0)
        return 0;
    else
        return N + sum_down<N - 1>();
}

}  // namespace

int main() {
    auto expression = build(9);
    for (int i = 0; i < 5; i++)
        std::printf("%g\n", expression->value({{"x", i * 0.25}, {"unused", 1}}));
    Counter counter;
    expression->accept(counter);
    std::printf("%d %d\n", counter.leaves, counter.nodes);

    std::vector<std::string> words;
    for (int i = 0; i < 300; i++)
        words.push_back(std::to_string((i * 7919) % 1000));
    std::sort(words.begin(), words.end(), [](const std::string& a, const std::string& b) {
        return a.size() != b.size() ? a.size() < b.size() : a > b;
    });
    std::map<size_t, std::function<int(int)>> functions;
    for (const std::string& word : words)
        functions.try_emplace(word.size(), [word](int a) { return a + std::stoi(word); });
    for (const auto& [size, function] : functions)
        std::printf("%zu %d\n", size, function(1));
    std::printf("%d\n", sum_down<20>());
    return 0;
}
