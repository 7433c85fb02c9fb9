"""The programs that kernel_test traces, and what has to be in their recordings."""

import csv
import io
import os
import pathlib
import subprocess

ROOT = pathlib.Path(os.environ["TEST_ROOT"])
DIST = pathlib.Path(os.environ["TEST_DIST"])
TARGET = os.environ["TEST_TARGET"]
COMPILER = os.environ["TEST_TRIPLET"] + "-gcc"
SYSROOT = os.environ["TEST_SYSROOT"]
MIPSTRACE = DIST / "bin/mipstrace"


def run(*words, **options):
    return subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE,
                          text=True, **options).stdout


def nesting(data, sysroot):
    return run(MIPSTRACE, "replay", "-f", "none", "-i", data, "--sysroot", sysroot)


def calls_of_functions(data, sysroot):
    table = csv.DictReader(io.StringIO(
        run(MIPSTRACE, "report", "--csv", "-i", data, "--sysroot", sysroot)))
    return {row["function"]: int(row["calls"]) for row in table}


class Program:
    """A program, its first file, and others that it needs beside it."""

    def __init__(self, name, files, arguments=()):
        self.name = name
        self.files = files
        self.arguments = arguments

    def check(self, step, sysroot):
        """What is wrong with the recording step/data, as a list of texts. The program's working
        folder is step/files."""
        raise NotImplementedError


class Lua(Program):
    """Does the same calls as under qemu-user."""

    def __init__(self, folder, flags):
        self.folder = folder / "lua"
        self.folder.mkdir()
        lua = ROOT / "build/demo" / TARGET / "lua"
        lua.parent.mkdir(parents=True, exist_ok=True)
        run(ROOT / "cross/lua", lua, COMPILER, f"--sysroot={SYSROOT}", "-O2", "-g", *flags)
        script = ROOT / "tests/traced/lua/demo.lua"
        super().__init__("lua", [lua, script], [script.name])
        for file in self.files:
            (self.folder / file.name).symlink_to(file)

    def check(self, step, sysroot):
        data = self.folder / "data"
        if not data.exists():
            run(MIPSTRACE, "record", "-o", data, "--", "./lua", *self.arguments, cwd=self.folder)
        expected, found = nesting(data, "/"), nesting(step / "data", sysroot)
        if found == expected:
            return []
        lines = [(n, a, b) for n, (a, b) in
                 enumerate(zip(expected.splitlines(), found.splitlines()), 1) if a != b]
        return [f"{len(found.splitlines())} lines of calls, expected {len(expected.splitlines())}; "
                f"the first that differ (line, expected, found): {lines[:5]}"]


class Counting(Program):
    """Writes a file of lines `FUNCTION CALLS`: every call has to be in the recording."""

    def check(self, step, sysroot):
        counts = (line.split() for line in (step / "files/calls").read_text().splitlines())
        found = calls_of_functions(step / "data", sysroot)
        return [f"{function}: {found.get(function)} calls recorded, {calls} done"
                for function, calls in counts if found.get(function) != int(calls)]


def to_trace(folder):
    """All of them. What is built or recorded for them goes into the folder."""
    flags = run(MIPSTRACE, "cflags", f"--cc={COMPILER}").split()
    here = pathlib.Path(__file__).parent
    programs = [Lua(folder, flags)]
    for source in sorted(here.glob("*.c")):
        for level in ("-O0", "-O2"):
            binary = folder / (source.stem + level)
            run(COMPILER, f"--sysroot={SYSROOT}", level, "-g", "-Wall", "-Wextra", "-Werror",
                "-fno-optimize-sibling-calls", *flags, source, "-o", binary)
            programs.append(Counting(binary.name, [binary]))
    return programs
