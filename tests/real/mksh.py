"""The MirBSD Korn shell: forks for each pipe, subshell and command, leaves its parser, its loops and
its traps by longjmp, handles signals."""

import re
import shlex

import harness

PACKAGES = ["mksh"]
PROGRAMS = ["mksh"]


def patient_tests(text):
    """The tests that pass however slow the machine is: none that sleeps until something else must have
    happened, and no short limits for what might hang."""
    tests = [test for test in text.split("\n---\n") if not re.search(r"\bsleep\b", test)]
    return re.sub(r"^time-limit: .*$", "time-limit: 600", "\n---\n".join(tests), flags=re.M)


def build(folder, sources):
    tests = (sources["mksh"] / "check.t").read_bytes().decode("latin-1")  # byte for byte
    (folder / "check.t").write_bytes(patient_tests(tests).encode("latin-1"))
    bin_folder = folder / "bin"
    bin_folder.mkdir()
    flags = harness.traced_flags(False)
    harness.must(["sh", sources["mksh"] / "Build.sh", "-r"], cwd=bin_folder, env={
        "CC": f"{harness.compiler(False)} --sysroot={harness.SYSROOT}", "TARGET_OS": "Linux",
        "CFLAGS": shlex.join(["-O2", *flags]), "CPPFLAGS": "-DMKSH_BUILDMEAT"})


def categories(bin_folder):
    """Which tests are for a shell that is built like this."""
    script = (bin_folder / "test.sh").read_text()
    found = re.search(r"^set -A check_categories -- (.*)$", script, re.M)[1].split()
    return ",".join([*found, "regress:no-ctty"])


def suites(sources, programs):
    folder = programs.parent
    return {"check": [
        "perl", sources["mksh"] / "check.pl", "-v", "-p", programs / "mksh", "-s", folder / "check.t",
        "-C", categories(folder / "bin"), "-T", ".", "-U", "C.UTF-8"]}


def results(output):
    if not re.search("^Total passed: ", output, re.M):
        raise harness.Failure(f"the suite did not come to its end: {output[-1000:]}")
    return re.findall(r"^(?:pass|FAIL|Total) .*$", output, re.M)
