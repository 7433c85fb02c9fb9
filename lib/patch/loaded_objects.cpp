#include "lib/patch/loaded_objects.h"

#include <dlfcn.h>
#include <string.h>
#include <sys/auxv.h>

#include "lib/base/arena.h"
#include "lib/base/syscall.h"
#include "lib/patch/link_namespaces.h"

namespace mipstrace::patch {

namespace {

// An object whose ELF header is at `start`.
void note_object_at(const void* start, const link_map& map, LoadedObjects& objects) {
    const auto* header = static_cast<const ElfW(Ehdr)*>(start);
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return;
    const auto* segments =
        reinterpret_cast<const ElfW(Phdr)*>(static_cast<const char*>(start) + header->e_phoff);
    objects.found(map.l_addr, segments, header->e_phnum, map.l_name);
}

#ifdef __GLIBC__

int note_object(dl_phdr_info* object, size_t, void* context) {
    static_cast<LoadedObjects*>(context)->found(object->dlpi_addr, object->dlpi_phdr,
                                                object->dlpi_phnum, object->dlpi_name);
    return 0;
}

// dl_iterate_phdr shows the namespace of its caller. Those that dlmopen made are known from what
// the dynamic linker keeps for debuggers, which leaves the program headers to be found.
void note_objects_of(const r_debug& space, LoadedObjects& objects) {
    for (const link_map* map = space.r_map; map != nullptr; map = map->l_next) {
        Dl_info info;
        if (dladdr(map->l_ld, &info) != 0) note_object_at(info.dli_fbase, *map, objects);
    }
}

void note_all(LoadedObjects& objects) {
    dl_iterate_phdr(note_object, &objects);
    for (auto* space = next_namespace(&program_namespace()); space != nullptr;
         space = next_namespace(space))
        note_objects_of(space->base, objects);
}

#else

// musl's dl_iterate_phdr and dladdr wait for the lock that the thread itself holds while dlopen
// tells of what it loaded. Its list for debuggers begins with the program; what the others'
// addresses are counted from is where their first segment lies, but for libraries that are bound to
// an address.
void note_all(LoadedObjects& objects) {
    const link_map* map = program_namespace().base.r_map;
    if (map == nullptr) return;
    objects.found(map->l_addr, reinterpret_cast<const ElfW(Phdr)*>(getauxval(AT_PHDR)),
                  getauxval(AT_PHNUM), "");
    const uintptr_t page = getauxval(AT_PAGESZ);
    while ((map = map->l_next) != nullptr) {
        unsigned char in_core;
        if (map->l_addr % page == 0 && raw_syscall(SYS_mincore, map->l_addr, page, &in_core) == 0)
            note_object_at(reinterpret_cast<const void*>(map->l_addr), *map, objects);
    }
}

#endif

}  // namespace

bool LoadedObject::covers(uintptr_t address, ElfW(Word) flags) const {
    for (size_t i = 0; i < segment_count; i++) {
        const ElfW(Phdr)& s = segments[i];
        if (s.p_type == PT_LOAD && (s.p_flags & flags) == flags &&
            address - (bias + s.p_vaddr) < s.p_memsz)
            return true;
    }
    return false;
}

void LoadedObjects::look() {
    for (size_t i = 0; i < count_; i++)
        list_[i].seen = false;
    note_all(*this);
}

void LoadedObjects::found(uintptr_t bias, const ElfW(Phdr) * segments, size_t segment_count,
                          const char* name) {
    for (size_t i = 0; i < count_; i++) {
        if (list_[i].segments != segments || list_[i].bias != bias) continue;
        list_[i].seen = true;
        return;
    }
    if (count_ == room_ && !grow()) return;
    list_[count_++] = {bias, segments, segment_count, name, nullptr, true, true};
}

bool LoadedObjects::grow() {
    const size_t room = room_ == 0 ? 256 : room_ * 2;
    auto* list = map_objects<LoadedObject>(room);
    if (list == nullptr) return false;
    if (count_ != 0) memcpy(list, list_, count_ * sizeof *list);
    if (list_ != nullptr) unmap_pages(list_, room_ * sizeof *list_);
    list_ = list;
    room_ = room;
    return true;
}

}  // namespace mipstrace::patch
