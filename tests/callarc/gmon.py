"""Reads gmon.out files by itself: what gprof would see, as counts by the names of both ends."""

import bisect
import collections
import struct
import subprocess


class Symbols:
    """The functions of a program. A function with several names goes by the first in order, and what
    the compiler moved out of one as rarely used is part of it."""

    def __init__(self, nm, program):
        lines = subprocess.run([nm, "-S", "--defined-only", program], check=True,
                               capture_output=True, text=True).stdout.splitlines()
        names = {}
        for line in lines:
            fields = line.split()
            if len(fields) == 4 and fields[2] in "tTwWi":
                address = int(fields[0], 16)
                name, _ = names.get(address, (fields[3], 0))
                names[address] = min(name, fields[3]), address + int(fields[1], 16)
        self.starts = sorted(names)
        self.names = names

    def name(self, address):
        at = bisect.bisect_right(self.starts, address) - 1
        if at < 0 or address >= self.names[self.starts[at]][1]:
            return None
        return self.names[self.starts[at]][0].removesuffix(".cold")


def records(path):
    """The raw arcs (from, to, count), and the histograms (low, high, rate, bins)."""
    data = path.read_bytes()
    order = "<" if data[4:8] == b"\1\0\0\0" else ">"
    assert data[:4] == b"gmon" and struct.unpack(order + "I", data[4:8]) == (1,), "no gmon.out"
    # Addresses are as wide as the target's. A histogram comes first, and has this word behind its numbers.
    wide = data[45:52] == b"seconds"
    address, pair = ("Q", 16) if wide else ("I", 8)
    assert wide or data[37:44] == b"seconds", "no histogram"
    arcs, histograms, at = [], [], 20
    while at < len(data):
        tag, at = data[at], at + 1
        if tag == 0:
            low, high, count, rate = struct.unpack_from(f"{order}{address}{address}II", data, at)
            assert data[at + pair + 8:at + pair + 24] == b"seconds".ljust(15, b"\0") + b"s"
            bins = struct.unpack_from(f"{order}{count}H", data, at + pair + 24)
            histograms.append((low, high, rate, bins))
            at += pair + 24 + 2 * count
        else:
            assert tag == 1, f"tag {tag} at {at}"
            arcs.append(struct.unpack_from(f"{order}{address}{address}I", data, at))
            at += pair + 4
    return arcs, histograms


def arcs(symbols, path):
    """Counter of (caller, callee). Addresses of no function are left out, as gprof does."""
    counts = collections.Counter()
    for source, target, count in records(path)[0]:
        names = symbols.name(source), symbols.name(target)
        if None not in names:
            counts[names] += count
    return +counts
