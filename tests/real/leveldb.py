"""LevelDB: threads that work on one database, a thread for compactions, destructors and locks
everywhere; its environment forks and execs itself."""

import googletest
import toolchain

PACKAGES = ["leveldb", "googletest"]

# Of the package's tests those that start threads or run the compactions of another thread; without
# skiplist_test, issue320_test, which run long, and db_test, which needs a library for benchmarks.
TESTS = [
    "db/autocompact_test", "db/corruption_test", "db/fault_injection_test", "db/recovery_test",
    "issues/issue200_test", "util/cache_test", "util/env_posix_test", "util/env_test",
]
PROGRAMS = [test.split("/")[1] for test in TESTS]
DEFINES = [
    "LEVELDB_PLATFORM_POSIX=1", "LEVELDB_COMPILE_LIBRARY", "HAVE_FDATASYNC=1", "HAVE_O_CLOEXEC=1",
    "HAVE_FULLFSYNC=0", "HAVE_CRC32C=0", "HAVE_SNAPPY=0",
]


def library_sources(top):
    left_out = ("_test.cc", "_bench.cc", "leveldbutil.cc", "env_windows.cc", "testutil.cc")
    folders = ("db", "table", "util", "helpers/memenv")
    return sorted(
        source for folder in folders for source in (top / folder).glob("*.cc")
        if not source.name.endswith(left_out))


def build(folder, sources):
    top, google = sources["leveldb"], sources["googletest"]
    flags = ["-I", top, "-I", top / "include", "-I", google / "googletest/include"]
    flags += ["-I", google / "googlemock/include", *(f"-D{define}" for define in DEFINES)]
    library = toolchain.compile_objects(folder / "library", library_sources(top), flags)
    library += toolchain.compile_objects(
        folder / "google", [google / "googlemock/src/gmock-all.cc", google / "googletest/src/gtest-all.cc"],
        [*flags, "-I", google / "googletest", "-I", google / "googlemock"])
    tests = toolchain.compile_objects(
        folder / "tests", [top / "util/testutil.cc", *(top / f"{test}.cc" for test in TESTS)], flags)
    for program, test in zip(PROGRAMS, tests[1:]):
        toolchain.link(folder / "bin" / program, [test, tests[0], *library])


def suites(_, programs):
    return {name: [programs / name] for name in PROGRAMS}


results = googletest.results
