"""Just enough of ELF for the tests: sections, symbols, relocations and groups, of either size."""

import struct
from types import SimpleNamespace

SHT_SYMTAB, SHT_RELA, SHT_NOBITS, SHT_REL, SHT_GROUP = 2, 4, 8, 9, 17
SHF_LINK_ORDER, SHF_GROUP = 0x80, 0x200
STT_FUNC, STT_SECTION = 2, 3
TABLE = "__patchable_function_entries"


class Elf:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        assert self.data[:4] == b"\x7fELF", path
        self.wide = self.data[4] == 2
        self.order = "<" if self.data[5] == 1 else ">"
        if self.wide:
            header = self.unpack("HHIQQQIHHHHHH", 16)
        else:
            header = self.unpack("HHIIIIIHHHHHH", 16)
        start, size, count, names = header[5], header[10], header[11], header[12]
        kind = "IIQQQQIIQQ" if self.wide else "IIIIIIIIII"
        keys = "name_at type flags address offset size link info align entry".split()
        self.sections = []
        for index in range(count):
            fields = self.unpack(kind, start + index * size)
            self.sections.append(SimpleNamespace(index=index, **dict(zip(keys, fields))))
        for section in self.sections:
            section.name = self.string(self.sections[names], section.name_at)
        self.symbols = self.read_symbols()

    def unpack(self, kind, offset):
        return struct.unpack_from(self.order + kind, self.data, offset)

    def string(self, table, at):
        start = table.offset + at
        return self.data[start : self.data.index(b"\0", start)].decode()

    def read_symbols(self):
        symbols = []
        for table in (s for s in self.sections if s.type == SHT_SYMTAB):
            for at in range(table.offset, table.offset + table.size, table.entry):
                if self.wide:
                    name, info, other, section, value, size = self.unpack("IBBHQQ", at)
                else:
                    name, value, size, info, other, section = self.unpack("IIIBBH", at)
                text = self.string(self.sections[table.link], name)
                symbols.append(
                    SimpleNamespace(name=text, type=info & 15, section=section, value=value, size=size)
                )
        return symbols

    def functions(self):
        return [s for s in self.symbols if s.type == STT_FUNC and 0 < s.section < 0xFF00]

    def tables(self):
        return [s for s in self.sections if s.name == TABLE]

    def word(self, section, at, size):
        return self.unpack("Q" if size == 8 else "I", section.offset + at)[0]

    def table_words(self):
        size = 8 if self.wide else 4
        return [self.word(t, at, size) for t in self.tables() for at in range(0, t.size, size)]

    def instruction(self, address):
        for section in self.sections:
            if section.flags & 4 and section.address <= address < section.address + section.size:
                return self.word(section, address - section.address, 4)
        return None

    def targets(self, table):
        """(section, offset in it) of each entry of a table in an object file."""
        places = []
        for relocations in self.sections:
            if relocations.info != table.index or relocations.type not in (SHT_REL, SHT_RELA):
                continue
            for at in range(relocations.offset, relocations.offset + relocations.size, relocations.entry):
                if self.wide:  # symbol is a word of its own in MIPS n64
                    where, symbol, _, addend = self.unpack("QIIq", at)
                else:
                    where, info = self.unpack("II", at)
                    symbol = info >> 8
                    rela = relocations.type == SHT_RELA
                    addend = self.unpack("i", at + 8)[0] if rela else self.word(table, where, 4)
                found = self.symbols[symbol]
                places.append((found.section, found.value + addend))
        return places

    def group_of(self, index):
        for group in (s for s in self.sections if s.type == SHT_GROUP):
            members = [self.word(group, at, 4) for at in range(4, group.size, 4)]
            if index in members:
                return group.index
        return None
