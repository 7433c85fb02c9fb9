#include "lib/runtime/objects.h"

#include <elf.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

#include "lib/base/arena.h"
#include "lib/base/clock.h"
#include "lib/record/event_writer.h"
#include "lib/unwind/rule_cache.h"

namespace mipstrace::runtime {

namespace {

struct Object {
    format::ObjectRecord record;
    char build_id[32];
    char path[512];
};

// What is loaded and unloaded again and again is no news after this many.
constexpr size_t kMost = 4096;
Object* objects;
std::atomic<size_t> count;
size_t described;

void read_text(const patch::LoadedObject& object, format::ObjectRecord* record) {
    uintptr_t low = UINTPTR_MAX;
    uintptr_t high = 0;
    for (size_t i = 0; i < object.segment_count; i++) {
        const ElfW(Phdr)& segment = object.segments[i];
        if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
        low = std::min<uintptr_t>(low, segment.p_vaddr);
        high = std::max<uintptr_t>(high, segment.p_vaddr + segment.p_memsz);
    }
    if (low >= high) return;
    record->text_vaddr = low;
    record->text_size = high - low;
}

uint16_t find_build_id(const patch::LoadedObject& object, char (&id)[32]) {
    constexpr size_t kAlign = 4;
    for (size_t i = 0; i < object.segment_count; i++) {
        const ElfW(Phdr)& segment = object.segments[i];
        if (segment.p_type != PT_NOTE || !object.covers(object.bias + segment.p_vaddr, PF_R))
            continue;
        const char* at = reinterpret_cast<const char*>(object.bias + segment.p_vaddr);
        const char* const end = at + segment.p_memsz;
        while (size_t(end - at) >= sizeof(ElfW(Nhdr))) {
            ElfW(Nhdr) note;
            memcpy(&note, at, sizeof note);
            const char* name = at + sizeof note;
            const size_t name_size = (size_t(note.n_namesz) + kAlign - 1) / kAlign * kAlign;
            const size_t size = (size_t(note.n_descsz) + kAlign - 1) / kAlign * kAlign;
            if (name_size > size_t(end - name) || size > size_t(end - name) - name_size) break;
            if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
                memcmp(name, "GNU", 4) == 0 && note.n_descsz <= sizeof id) {
                memcpy(id, name + name_size, note.n_descsz);
                return uint16_t(note.n_descsz);
            }
            at = name + name_size + size;
        }
    }
    return 0;
}

uint16_t find_path(const patch::LoadedObject& object, char (&path)[512]) {
    if (object.name[0] == '\0') {
        const ssize_t size = readlink("/proc/self/exe", path, sizeof path);
        return size > 0 ? uint16_t(size) : 0;
    }
    const size_t size = std::min(strlen(object.name), sizeof path);
    memcpy(path, object.name, size);
    return uint16_t(size);
}

}  // namespace

void keep_objects() {
    if (objects == nullptr) objects = map_objects<Object>(kMost);
}

void note_object(const patch::LoadedObject& object) {
    if (objects == nullptr || count == kMost) return;
    Object& noted = objects[count];
    noted.record = {};
    read_text(object, &noted.record);
    if (noted.record.text_size == 0) return;
    noted.record.mono_ns = mono_ns();
    noted.record.load_bias = object.bias;
    noted.record.build_id_size = find_build_id(object, noted.build_id);
    noted.record.path_size = find_path(object, noted.path);
    count.fetch_add(1, std::memory_order_release);
}

void note_gone_object() {
    if (objects != nullptr) unwind::clear_rule_cache();
}

void begin_objects() {
    described = 0;
}

void add_new_objects() {
    for (; described < count.load(std::memory_order_acquire); described++) {
        const Object& object = objects[described];
        record::trace_file.add_meta(
            format::MetaType::object,
            {reinterpret_cast<const char*>(&object.record), sizeof object.record},
            {object.build_id, object.record.build_id_size}, {object.path, object.record.path_size});
    }
}

}  // namespace mipstrace::runtime
