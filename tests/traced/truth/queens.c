// Many small C functions that call themselves and each other, also through pointers.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef int Order(const void*, const void*);

static unsigned state = 1;
static unsigned next_random(void) {
    state = state * 1103515245u + 12345u;
    return state >> 16 & 0x7fff;
}

static int is_free(const int* columns, int row, int column) {
    for (int i = 0; i < row; i++) {
        if (columns[i] == column || abs(columns[i] - column) == row - i) return 0;
    }
    return 1;
}
static int place(int* columns, int row, int size) {
    if (row == size) return 1;
    int found = 0;
    for (int column = 0; column < size; column++) {
        if (!is_free(columns, row, column)) continue;
        columns[row] = column;
        found += place(columns, row + 1, size);
    }
    return found;
}

static int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

static void swap(int* a, int* b) {
    int kept = *a;
    *a = *b;
    *b = kept;
}
static int ascending(const void* a, const void* b) {
    const int left = *(const int*)a;
    const int right = *(const int*)b;
    return left < right ? -1 : left > right;
}
static int descending(const void* a, const void* b) {
    return ascending(b, a);
}
static int partition(int* values, int count, Order* order) {
    int last = 0;
    for (int i = 1; i < count; i++) {
        if (order(&values[i], &values[0]) < 0) swap(&values[++last], &values[i]);
    }
    swap(&values[0], &values[last]);
    return last;
}
static void sort(int* values, int count, Order* order) {
    if (count < 2) return;
    const int middle = partition(values, count, order);
    sort(values, middle, order);
    sort(values + middle + 1, count - middle - 1, order);
}

struct Tree {
    struct Tree* sides[2];
    int key;
};
static struct Tree* make_tree(int key) {
    struct Tree* tree = calloc(1, sizeof *tree);
    tree->key = key;
    return tree;
}
static struct Tree* insert(struct Tree* tree, int key) {
    if (tree == NULL) return make_tree(key);
    struct Tree** side = &tree->sides[key > tree->key];
    *side = insert(*side, key);
    return tree;
}
static int height(const struct Tree* tree) {
    if (tree == NULL) return 0;
    const int left = height(tree->sides[0]);
    const int right = height(tree->sides[1]);
    return 1 + (left > right ? left : right);
}
static void drop(struct Tree* tree) {
    if (tree == NULL) return;
    drop(tree->sides[0]);
    drop(tree->sides[1]);
    free(tree);
}

static void finish(void) {
    printf("%u\n", next_random());
}

int main(void) {
    int columns[8];
    printf("%d\n", place(columns, 0, 7));
    printf("%d\n", ackermann(2, 60));
    int values[2000];
    for (int i = 0; i < 2000; i++)
        values[i] = (int)next_random();
    sort(values, 2000, ascending);
    printf("%d %d\n", values[0], values[1999]);
    for (int i = 0; i < 2000; i++)
        values[i] = (int)next_random();
    sort(values, 2000, descending);
    qsort(values, 2000, sizeof values[0], ascending);
    printf("%d %d\n", values[0], values[1999]);
    struct Tree* tree = NULL;
    for (int i = 0; i < 1000; i++)
        tree = insert(tree, (int)next_random());
    printf("%d\n", height(tree));
    drop(tree);
    atexit(finish);
    return 0;
}
