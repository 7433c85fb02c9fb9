"""Compiles many files at once, for the target, traced."""

import concurrent.futures
import os

import harness


def compile_objects(folder, sources, flags):
    """Objects of the sources, in their order."""
    folder.mkdir(parents=True, exist_ok=True)

    def compile_one(source):
        out = folder / f"{source.stem}.o"
        cxx = source.suffix != ".c"
        harness.must([
            harness.compiler(cxx), f"--sysroot={harness.SYSROOT}", "-O2", *harness.traced_flags(cxx), *flags,
            "-c", source, "-o", out])
        return out

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(compile_one, sources))


def link(out, objects, flags=()):
    out.parent.mkdir(exist_ok=True)
    harness.must([
        harness.compiler(True), f"--sysroot={harness.SYSROOT}", *objects, "-o", out, *flags])
