"""GoogleTest: exceptions thrown through the framework, death tests, which fork, and which clone and
exec the program again, threads."""

import re

import toolchain

PACKAGES = ["googletest"]

# Of the package's tests those about what a tracer might break; what they are linked with.
TESTS = {
    "googletest-death-test-test": "gtest_main",
    "googletest-death-test_ex_test": "gtest",
    "gtest_assert_by_exception_test": "gtest",
    "gtest_throw_on_failure_ex_test": "gtest",
    "googletest-catch-exceptions-test_": "gtest",
    "gtest_stress_test": "gtest",
    "googletest-port-test": "gtest_main",
}
PROGRAMS = list(TESTS)


def build(folder, sources):
    top = sources["googletest"] / "googletest"
    flags = ["-I", top / "include", "-I", top]
    flags += ["-DGTEST_ENABLE_CATCH_EXCEPTIONS_=1"]
    library, main, *tests = toolchain.compile_objects(
        folder / "objects",
        [top / "src/gtest-all.cc", top / "src/gtest_main.cc", *(top / f"test/{name}.cc" for name in TESTS)],
        flags)
    for (name, needs), test in zip(TESTS.items(), tests):
        objects = [test, library, *([main] if needs == "gtest_main" else [])]
        toolchain.link(folder / "bin" / name, objects)


def suites(_, programs):
    return {name: [programs / name] for name in TESTS}


def results(output):
    """How each test ended and the counts at the end, without times; which failures and exceptions
    were reported, whichever thread was first."""
    ends = re.findall(r"^\[[ A-Z=-]{10}\] .*$", output, re.M)
    reported = re.findall(r"^(?!\[).*(?:[Ee]xception|Failure$).*$", output, re.M)
    return [re.sub(r" \(\d+ ms(?: total)?\)$", "", line) for line in ends] + sorted(reported)
