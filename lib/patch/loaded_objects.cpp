#include "lib/patch/loaded_objects.h"

#include <dlfcn.h>
#include <string.h>

#include "lib/base/arena.h"
#include "lib/patch/link_namespaces.h"

namespace mipstrace::patch {

namespace {

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
        if (dladdr(map->l_ld, &info) == 0) continue;
        const auto* header = static_cast<const ElfW(Ehdr)*>(info.dli_fbase);
        if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) continue;
        const auto* segments = reinterpret_cast<const ElfW(Phdr)*>(
            static_cast<const char*>(info.dli_fbase) + header->e_phoff);
        objects.found(map->l_addr, segments, header->e_phnum, map->l_name);
    }
}

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
    dl_iterate_phdr(note_object, this);
    for (auto* space = next_namespace(&program_namespace); space != nullptr;
         space = next_namespace(space))
        note_objects_of(space->base, *this);
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
