"""Declares the Arrow C data interface, reference-counted columns (arrow.h) and their memory (blocks.h) for Cython."""
from libc.stdint cimport int64_t

cdef extern from "columns/blocks.h" nogil:
    ctypedef struct Stock "urlsm_stock":
        pass

    void* stock_block "urlsm_block_new"(Stock* stock, size_t size) noexcept
    void* block_resized "urlsm_block_resized"(Stock* stock, void* p, size_t size) noexcept
    void block_free "urlsm_block_free"(void* p) noexcept
    int64_t stock_release "urlsm_release"(Stock* stock) noexcept
    void stock_recount "urlsm_recount"(Stock* stock) noexcept

cdef extern from "columns/arrow.h" nogil:
    ctypedef struct ArrowSchema "struct ArrowSchema":
        const char* format
        const char* name
        const char* metadata
        int64_t flags
        int64_t n_children
        ArrowSchema** children
        ArrowSchema* dictionary
        void (*release)(ArrowSchema*) noexcept nogil

    ctypedef struct ArrowArray "struct ArrowArray":
        int64_t length
        int64_t null_count
        int64_t offset
        int64_t n_buffers
        int64_t n_children
        const void** buffers
        ArrowArray** children
        ArrowArray* dictionary
        void (*release)(ArrowArray*) noexcept nogil

    ctypedef struct ArrowArrayStream "struct ArrowArrayStream":
        int (*get_schema)(ArrowArrayStream*, ArrowSchema*) noexcept nogil
        int (*get_next)(ArrowArrayStream*, ArrowArray*) noexcept nogil
        const char* (*get_last_error)(ArrowArrayStream*) noexcept nogil
        void (*release)(ArrowArrayStream*) noexcept nogil
        void* private_data

    ctypedef struct Column "urlsm_column":
        ArrowArray array
        Column** children
        Column* dictionary
        void** owned         # an array of three pointers to memory from malloc
        void** blocks        # an array of two pointers to blocks (blocks.h)
        Column** held

    Column* column_new "urlsm_column_new"(int64_t length, int64_t buffers, int64_t children, int64_t held) noexcept
    Column* column_import "urlsm_column_import"(ArrowArray* array) noexcept
    Column* column_held "urlsm_column_held"(Column* c) noexcept
    void column_free "urlsm_column_free"(Column* c) noexcept
    bint array_export "urlsm_array_export"(Column* c, ArrowArray* out) noexcept
    size_t metadata_size "urlsm_metadata_size"(const char* metadata) noexcept
    bint schema_start "urlsm_schema_start"(ArrowSchema* out, const char* format, const char* name,
                                           const char* metadata, int64_t children, bint dictionary) noexcept
