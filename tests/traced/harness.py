"""What the tests of traced programs share: build, run untraced and traced, read the recording.

Meson sets the TEST_ variables. Each case works in a folder of its own below TEST_WORK, which stays
when the case fails, with the program and its recording in it.
"""

import collections
import csv
import difflib
import functools
import io
import json
import os
import pathlib
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import traceback

VARIABLES = [
    "TEST_ROOT", "TEST_TARGET", "TEST_TRIPLET", "TEST_QEMU", "TEST_SYSROOT", "TEST_DIST", "TEST_WORK",
]
# A CPU of qemu-user that keeps what is written to fcsr, for the programs that ask for it.
OPTIONAL = ["TEST_QEMU_CPU"]
MISSING = [name for name in VARIABLES if name not in os.environ]
if MISSING:
    sys.exit(f"{', '.join(MISSING)}: set by meson test; a failing test prints the whole command")

ROOT, TARGET, TRIPLET, QEMU, SYSROOT, DIST, WORK = (os.environ[name] for name in VARIABLES)
IS_MUSL = TARGET.endswith("-musl")  # has no _mcount either
MACHINE = TARGET.removesuffix("-musl")
SOURCES = pathlib.Path(ROOT, "tests", "traced")
MIPSTRACE = os.path.join(DIST, "bin", "mipstrace")
TIMEOUT = 240
PIE, NO_PIE = ["-fPIE", "-pie"], ["-fno-pie", "-no-pie"]
# The models with -pg also say how functions are made traceable, see traced_flags.
MODELS = {"pie": PIE, "no-pie": NO_PIE, "pg": PIE, "pg-ra": NO_PIE}

# A program that ends by a signal on purpose should not leave cores behind.
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class Failure(Exception):
    """What went wrong, in lines for the reader."""


def run(command, env=None, cwd=None):
    """Runs a command; the result has returncode (below 0: the signal), stdout and stderr as text."""
    return subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, errors="replace", cwd=cwd,
        env={**os.environ, **(env or {})}, timeout=TIMEOUT, stdin=subprocess.DEVNULL)


def must(command, **options):
    done = run(command, **options)
    if done.returncode != 0:
        line = shlex.join(str(word) for word in command)
        raise Failure(f"status {done.returncode}: {line}\n{done.stdout}{done.stderr}")
    return done


def is_cxx(source):
    return str(source).endswith(".cpp")


def compiler(cxx):
    return f"{TRIPLET}-{'g++' if cxx else 'gcc'}"


@functools.cache
def traced_flags(cxx, model="pie"):
    """What makes functions traceable: what `mipstrace cflags` prints for the compiler, or -pg."""
    if "pg" in model:
        # Exceptions and backtraces pass through C functions by their unwind tables.
        flags = ["-pg", "-fasynchronous-unwind-tables"]
        return [*flags, "-mmcount-ra-address"] if model == "pg-ra" else flags
    more = ["--cxx"] if cxx else []
    return shlex.split(must([MIPSTRACE, "cflags", f"--cc={compiler(cxx)}", *more]).stdout)


def compile_program(out, sources, flags, cxx=None):
    cxx = any(map(is_cxx, sources)) if cxx is None else cxx
    must([compiler(cxx), f"--sysroot={SYSROOT}", "-Wall", "-Werror", *sources, "-o", out, *flags])


def after(before, command):
    """The command, run by a shell that has done something before; its limits and descriptors stay."""
    return ["sh", "-c", f'{before} && exec "$@"', "sh", *command] if before else command


def can_exec():
    """Does the kernel start the target's programs? See cross/binfmt.sh."""
    return pathlib.Path("/proc/sys/fs/binfmt_misc", QEMU).exists()


def run_untraced(program, arguments=(), env=None, before=None):
    """What it execs, if it can, is told of the system root by the variable."""
    command = [QEMU, "-L", SYSROOT, program, *arguments]
    return run(after(before, command), env={"QEMU_LD_PREFIX": SYSROOT, **(env or {})})


def record_command(data, program, options=(), arguments=()):
    return [MIPSTRACE, "record", "-o", str(data), *options, "--", str(program), *arguments]


def on_disk_of(size, data):
    """A command that leaves `data` to what follows as the root of a file system of that size, in a
    mount namespace that ends with it; what was written is copied."""
    script = ('size=$1 data=$2; shift 2; mkdir "$data" && mount -t tmpfs -o "size=$size" tmpfs "$data" && '
              '{ "$@"; status=$?; cp -r --sparse=always "$data" "$data.kept"; exit $status; }')
    return ["unshare", "-m", "sh", "-c", script, "sh", size, str(data)]


@functools.cache
def why_no_disks():
    """What the system says to a mount in a namespace, where it refuses one: not to root, or in a container."""
    done = run(["unshare", "-m", "sh", "-c", "mount -t tmpfs tmpfs /mnt"])
    return "" if done.returncode == 0 else f"no small disk can be mounted: {done.stderr.strip()}"


def run_traced(data, program, options=(), arguments=(), env=None, before=None, disk=None):
    command = after(before, record_command(data, program, options, arguments))
    if disk is None:
        return run(command, env=env)
    done = run([*on_disk_of(disk, data), *command], env=env)
    data.rmdir()
    pathlib.Path(f"{data}.kept").rename(data)
    return done


def expect_same_run(untraced, traced):
    for what in ("returncode", "stdout"):
        if getattr(untraced, what) != getattr(traced, what):
            raise Failure(f"{what} of the traced run is {getattr(traced, what)!r}, of the untraced "
                          f"one {getattr(untraced, what)!r}\n{traced.stderr}")


def info(data):
    return json.loads(must([MIPSTRACE, "info", "--json", "-i", data]).stdout)


def report(data, options=()):
    """Calls by function, as (function, module)."""
    done = run([MIPSTRACE, "report", "--csv", "-i", data, *options])
    if done.returncode != 0:
        raise Failure(f"report: status {done.returncode}\n{done.stderr}")
    rows = csv.DictReader(io.StringIO(done.stdout))
    return {(row["function"], row["module"]): int(row["calls"]) for row in rows}


# ---- call graphs

class Node:
    """A call: its function, how it ended unless by returning, and the calls inside: (node, how many
    times one behind the other). Equal calls are one and the same object, see make_node."""

    def __init__(self, name, remark, inner):
        self.name, self.remark, self.inner = name, remark, inner

    def nested(self):
        """The innermost of calls of the same function by itself, and how many these are."""
        node, count = self, 1
        while len(node.inner) == 1:
            [(inner, times)] = node.inner
            if times != 1 or (inner.name, inner.remark) != (self.name, self.remark):
                break
            node, count = inner, count + 1
        return (node, count) if count > 2 else (self, 1)

    def lines(self, depth, times):
        node, count = self.nested()
        words = [self.name]
        if count > 1:
            words.append(f"nested {count}")
        if self.remark:
            words.append(f"({self.remark})")
        if times > 1:
            words.append(f"x {times}")
        return ["  " * depth + "  ".join(words), *folded(node.inner, depth + 1)]


nodes = {}


def make_node(name, remark, inner):
    key = (name, remark, tuple((id(node), times) for node, times in inner))
    return nodes.setdefault(key, Node(name, remark, inner))


def append(calls, node, times=1):
    if calls and calls[-1][0] is node:
        calls[-1] = (node, calls[-1][1] + times)
    else:
        calls.append((node, times))


def folded(calls, depth=0):
    """Calls as lines, indented. What a line says behind the function's name: "nested 3", it calls
    itself so often; "(left)" and the like, it did not return; "(return alone)", the return of a call
    that was made in another thread; "x 3", so many such calls follow."""
    return [line for node, times in calls for line in node.lines(depth, times)]


REMARKS = {
    "left without returning": "left",
    "in flight: no return recorded": "in flight",
    "its return was not recorded": "end missing",
    "its call was not recorded": "began before",
}


@functools.cache
def parse_closing(text):
    """Function and remark of "} /* FUNCTION: how it ended */"."""
    comment = re.fullmatch(r"\} /\* (.*) \*/", text).group(1)
    for words, remark in REMARKS.items():
        if comment.endswith(": " + words):
            return call_name(comment.removesuffix(": " + words)), remark
    return call_name(comment), ""


class Stack:
    """The calls on one stack of a thread."""

    def __init__(self):
        self.roots, self.open = [], []  # open: name, calls inside, remark

    def calls(self):
        return self.open[-1][1] if self.open else self.roots

    def close(self, name, remark):
        if remark == "began before":
            if self.open:
                append(self.calls(), make_node(name, "return alone", []))
            else:
                self.roots = [(make_node(name, remark, self.roots), 1)]
            return
        if not self.open or self.open[-1][0] != name:
            raise Failure(f"replay ends {name}, but open is {self.open[-1][0] if self.open else 'nothing'}")
        _, inner, before = self.open.pop()
        append(self.calls(), make_node(name, ", ".join(filter(None, [before, remark])), inner))


def parse_nesting(lines):
    """The calls of one thread, from what `replay -f none` prints: a list for each of its stacks, its
    own first, then those of coroutines as they appear."""
    stacks = {0: Stack()}
    stack = stacks[0]
    for line in lines:
        text = line.strip()
        other = re.fullmatch(r"/\* stack (\d+) \*/", text)
        if other:
            stack = stacks.setdefault(int(other.group(1)), Stack())
        elif not text or text.startswith("/*"):
            continue
        elif text.startswith("}"):
            stack.close(*parse_closing(text))
        elif text.endswith("{") or text.endswith("{ /* since before the first event */"):
            before = "" if text.endswith("{") else "began before"
            stack.open.append((call_name(text[:text.rindex("{")]), [], before))
        else:
            append(stack.calls(), make_node(*parse_leaf(text), []))
    for stack in stacks.values():
        if stack.open:
            raise Failure(f"replay leaves {stack.open[-1][0]} open")
    return [stack.roots for stack in stacks.values()]


@functools.cache
def parse_leaf(text):
    name, remark = re.fullmatch(r"(.*);(?: /\* (.*) \*/)?", text).groups()
    return call_name(name), REMARKS[remark] if remark else ""


@functools.cache
def call_name(text):
    """The name without an empty list of parameters: replay adds one where a name has none."""
    text = text.strip()
    return text if text.endswith("operator()") else text.removesuffix("()")


def take_apart(calls, name, taken):
    """The calls without those of a function, wherever they are; these are added to `taken`."""
    left = []
    for node, times in calls:
        if node.name == name:
            taken.add(node)
        else:
            append(left, make_node(node.name, node.remark, take_apart(node.inner, name, taken)), times)
    return left


def lines_by_thread(data):
    lines = {}
    for line in must([MIPSTRACE, "replay", "-f", "tid", "-i", data]).stdout.splitlines():
        tid, bar, text = line.partition("|")
        if bar and tid.strip(" []").isdigit():
            lines.setdefault(int(tid.strip(" []")), []).append(text)
    return lines


# How a process image came from the one whose title follows.
DESCENT = {"forked": "child", "executed": "exec", "started": "program"}


def family_of(process, processes):
    """Words that tell where a process image comes from: "child exec " is what a child has exec'd."""
    words = []
    while process["parent"]:
        words.insert(0, DESCENT[process["relation"]] + " ")
        process = processes[process["parent"]]
    return "".join(words)


def threads_of(data):
    """(title, roots) of each stack of each thread, the main one first."""
    processes = {process["path"]: process for process in info(data)["processes"]}
    tids = collections.Counter(
        thread["tid"] for process in processes.values() for thread in process["threads"])
    all_lines = lines_by_thread(data)
    out = []
    for path, process in processes.items():
        own = {thread["tid"] for thread in process["threads"]}
        # An exec leaves two images with the same threads.
        lines = all_lines if all(tids[tid] == 1 for tid in own) else lines_by_thread(path)
        for tid in lines.keys() & own:
            title = family_of(process, processes) + ("main" if tid == process["pid"] else "thread")
            own_stack, *others = parse_nesting(lines[tid])
            out.append((title, own_stack))
            out += [(f"other stack of {title}", roots) for roots in others]
    return out


def graph_text(data, apart=None):
    """The normalised call graph: one section a thread, in an order that does not depend on time."""
    sections, taken = [], set()
    for title, roots in threads_of(data):
        if apart:
            roots = take_apart(roots, apart, taken)
        sections.append((title, "\n".join(folded(roots))))
    if apart:
        sections += sorted((apart, "\n".join(folded([(node, 1)]))) for node in taken)
    order = {"main": 0, "thread": 1, "child main": 2, "child thread": 3}
    sections.sort(key=lambda section: (order.get(section[0], 4), section))
    out = []
    while sections:
        same = sections.count(sections[0])
        title, text = sections[0]
        out.append(f"[{title}]" + (f" x {same}" if same > 1 else "") + "\n" + text + "\n")
        sections = [section for section in sections if section != (title, text)]
    return "".join(out)


def expect_equal_text(expected, found, name):
    if expected != found:
        lines = difflib.unified_diff(
            expected.splitlines(), found.splitlines(), name, "recorded", lineterm="")
        raise Failure("\n".join(lines))


# ---- cases

def signal_number(name):
    return -getattr(signal, name)


class Cases:
    """Runs cases and prints TAP. `script CASE...` runs only these."""

    def __init__(self, script):
        self.script, self.cases = script, []

    def add(self, name, function, *arguments):
        self.cases.append((name, function, arguments))

    def reproduce(self, words):
        names = VARIABLES + [name for name in OPTIONAL if name in os.environ]
        values = " ".join(f"{name}={shlex.quote(os.environ[name])}" for name in names)
        return f"env {values} {shlex.join([os.path.abspath(sys.argv[0]), *words])}"

    def run(self, words, wanted):
        print(f"1..{len(self.cases)}")
        failures = 0
        for number, (name, function, arguments) in enumerate(self.cases, 1):
            if wanted and name not in wanted:
                print(f"ok {number} - {name} # SKIP not asked for")
                continue
            # In the path only what no tool takes for anything else.
            folder = pathlib.Path(WORK, self.script, *words, f"{number}-" + re.sub(r"\W+", "-", name))
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            try:
                function(folder, *arguments)
                print(f"ok {number} - {name}")
                shutil.rmtree(folder, ignore_errors=True)
            except Exception as problem:
                failures += 1
                print(f"not ok {number} - {name}")
                text = str(problem) if isinstance(problem, Failure) else traceback.format_exc()
                again = self.reproduce([*words, name])
                for line in f"{text}\nkept: {folder}\nagain: {again}".splitlines():
                    print(f"# {line}")
            sys.stdout.flush()
        return 1 if failures else 0
