// malloc and its like for what is linked into this library. A program's own malloc may be traced,
// may not be ready when we start, and may be what is just being called.
//
//   chunk (from the kernel):  | next, end, at | size, block | size, block | ... free ...
//                                                                         ^ at
//
// Blocks are cut from the newest chunk. One that is freed is used again if it is the last one, and
// when none is left all chunks but one go: users open a file, look at it, and close it.
//
// One thread at a time: before there is a second one, or with the registry's lock.
#include <stdlib.h>
#include <string.h>

#include <cstddef>
#include <cstdint>

#include "lib/base/arena.h"

namespace {

constexpr size_t kAlignment = 16;
constexpr size_t kChunkBytes = 256 * 1024;

struct alignas(kAlignment) Chunk {
    Chunk* next;
    char* end;
    char* at;
};

struct alignas(kAlignment) Block {
    size_t size;  // of what follows
    char* begin() { return reinterpret_cast<char*>(this + 1); }
    char* end() { return begin() + size; }
};

Chunk* newest;
size_t blocks_in_use;

size_t rounded(size_t size) {
    return (size + kAlignment - 1) & ~(kAlignment - 1);
}

Block* block_of(void* memory) {
    return static_cast<Block*>(memory) - 1;
}

bool add_chunk(size_t size) {
    const size_t needed = sizeof(Chunk) + sizeof(Block) + size;
    const size_t bytes = needed > kChunkBytes ? needed : kChunkBytes;
    auto* chunk = static_cast<Chunk*>(mipstrace::map_pages(bytes));
    if (chunk == nullptr) return false;
    chunk->next = newest;
    chunk->end = reinterpret_cast<char*>(chunk) + bytes;
    chunk->at = reinterpret_cast<char*>(chunk + 1);
    newest = chunk;
    return true;
}

bool has_room(size_t size) {
    return newest != nullptr && size_t(newest->end - newest->at) >= sizeof(Block) + size;
}

void release_all() {
    while (newest->next != nullptr) {
        Chunk* older = newest->next;
        mipstrace::unmap_pages(newest, size_t(newest->end - reinterpret_cast<char*>(newest)));
        newest = older;
    }
    newest->at = reinterpret_cast<char*>(newest + 1);
}

}  // namespace

extern "C" {

void* malloc(size_t wanted) {
    if (wanted > PTRDIFF_MAX / 2) return nullptr;
    const size_t size = rounded(wanted);
    if (!has_room(size) && !add_chunk(size)) return nullptr;
    auto* block = reinterpret_cast<Block*>(newest->at);
    block->size = size;
    newest->at = block->end();
    blocks_in_use++;
    return block->begin();
}

void free(void* memory) {
    if (memory == nullptr) return;
    Block* block = block_of(memory);
    if (block->end() == newest->at) newest->at = reinterpret_cast<char*>(block);
    if (--blocks_in_use == 0) release_all();
}

void* calloc(size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) return nullptr;
    void* memory = malloc(bytes);
    return memory != nullptr ? memset(memory, 0, bytes) : nullptr;
}

void* realloc(void* memory, size_t wanted) {
    if (memory == nullptr) return malloc(wanted);
    Block* block = block_of(memory);
    const size_t size = rounded(wanted);
    if (size <= block->size) return memory;
    if (block->end() == newest->at && wanted <= size_t(newest->end - block->begin()) - kAlignment) {
        newest->at = block->begin() + size;
        block->size = size;
        return memory;
    }
    void* larger = malloc(wanted);
    if (larger == nullptr) return nullptr;
    memcpy(larger, memory, block->size);
    free(memory);
    return larger;
}

}  // extern "C"
