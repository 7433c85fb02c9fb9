// Which objects the process has loaded, and what has changed since the last look.
#pragma once

#include <link.h>

#include <cstddef>
#include <cstdint>

namespace mipstrace::patch {

struct Module;

struct LoadedObject {
    uintptr_t bias;               // run-time address minus ELF address
    const ElfW(Phdr) * segments;  // its program headers: no two objects share them
    size_t segment_count;
    const char* name;  // the dynamic linker's; "" for the program itself
    Module* module;    // whoever follows it may note it here; null at first
    bool seen;
    bool fresh;

    // `address` is in a segment that has all of `flags` (PF_*).
    bool covers(uintptr_t address, ElfW(Word) flags) const;
};

// Objects must not come or go during a call, so the caller is the only thread, or holds the dynamic
// linker's lock.
class LoadedObjects {
  public:
    // Looks at what is loaded now. `disappeared(LoadedObject&)` is called for what is no more, then
    // `appeared(LoadedObject&)` for what is new.
    template <typename Disappeared, typename Appeared>
    void update(Disappeared&& disappeared, Appeared&& appeared) {
        look();
        for (size_t i = 0; i < count_;) {
            if (list_[i].seen) {
                i++;
                continue;
            }
            disappeared(list_[i]);
            list_[i] = list_[--count_];
        }
        for (size_t i = 0; i < count_; i++) {
            if (!list_[i].fresh) continue;
            list_[i].fresh = false;
            appeared(list_[i]);
        }
    }

    // Notes that this object is there: for the functions that go through them.
    void found(uintptr_t bias, const ElfW(Phdr) * segments, size_t segment_count, const char* name);

  private:
    void look();
    bool grow();

    LoadedObject* list_ = nullptr;
    size_t count_ = 0;
    size_t room_ = 0;
};

}  // namespace mipstrace::patch
