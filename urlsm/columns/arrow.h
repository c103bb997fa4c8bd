/* The structs of the Arrow C data interface (https://arrow.apache.org/docs/format/CDataInterface.html), and columns
 * with a reference count, so that a consumer can keep a column for any length of time, on any thread, without the
 * interpreter's lock.
 *
 * A column is either imported (`foreign`: its buffers belong to another library) or made by urlsm. A column that urlsm
 * made owns memory from malloc and blocks (blocks.h), and holds references to the columns whose buffers it points into;
 * its offset is 0, unless it is a part of an imported column.
 * A column does not change after it is exported.
 */
#ifndef URLSM_ARROW_H
#define URLSM_ARROW_H
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "blocks.h"

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct ArrowSchema **children, *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct ArrowArray **children, *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};
#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};
#endif

enum { URLSM_OWNED = 3, URLSM_OWNED_BLOCKS = 2 };

typedef struct urlsm_column {
    int64_t refs;
    int foreign;
    /* in a column that is not foreign, only length, null_count, offset, buffers, n_buffers and n_children are set */
    struct ArrowArray array;
    struct urlsm_column **children, *dictionary;
    void *owned[URLSM_OWNED], *blocks[URLSM_OWNED_BLOCKS];
    struct urlsm_column **held;
    int64_t n_held;
} urlsm_column;

static urlsm_column *urlsm_column_new(int64_t length, int64_t n_buffers, int64_t n_children, int64_t n_held)
{
    urlsm_column *c = (urlsm_column *)calloc(1, sizeof(urlsm_column));
    if (c == NULL)
        return NULL;
    c->refs = 1;
    c->array.length = length;
    c->array.buffers = (const void **)calloc((size_t)n_buffers + 1, sizeof(void *));
    c->children = (urlsm_column **)calloc((size_t)n_children + 1, sizeof(void *));
    c->held = (urlsm_column **)calloc((size_t)n_held + 1, sizeof(void *));
    c->array.n_buffers = n_buffers;
    c->array.n_children = n_children;
    c->n_held = n_held;
    if (c->array.buffers != NULL && c->children != NULL && c->held != NULL)
        return c;
    free((void *)c->array.buffers);
    free(c->children);
    free(c->held);
    free(c);
    return NULL;
}

/* Returns a new column, which takes over the array. If memory runs out, returns NULL and leaves the array as it is. */
static inline urlsm_column *urlsm_column_import(struct ArrowArray *array)
{
    urlsm_column *c = (urlsm_column *)calloc(1, sizeof(urlsm_column));
    if (c == NULL)
        return NULL;
    c->refs = 1;
    c->foreign = 1;
    c->array = *array;
    array->release = NULL;
    return c;
}

static urlsm_column *urlsm_column_held(urlsm_column *c)
{
    URLSM_COUNT_UP(&c->refs);
    return c;
}

static void urlsm_column_free(urlsm_column *c)
{
    if (c == NULL || URLSM_COUNT_DOWN(&c->refs) > 0)
        return;
    if (c->foreign) {
        if (c->array.release != NULL)
            c->array.release(&c->array);
    } else {
        for (int64_t k = 0; k < c->array.n_children; k++)
            urlsm_column_free(c->children[k]);
        urlsm_column_free(c->dictionary);
        for (int64_t k = 0; k < c->n_held; k++)
            urlsm_column_free(c->held[k]);
        for (int k = 0; k < URLSM_OWNED; k++)
            free(c->owned[k]);
        for (int k = 0; k < URLSM_OWNED_BLOCKS; k++)
            urlsm_block_free(c->blocks[k]);
        free((void *)c->array.buffers);
        free(c->children);
        free(c->held);
    }
    free(c);
}

/* --- export: each exported array, also a child, holds a reference to its own column, because a consumer may move a
 * child out of its parent and keep it longer */

static void urlsm_array_release(struct ArrowArray *array)
{
    for (int64_t k = 0; k < array->n_children; k++) {
        if (array->children[k] != NULL && array->children[k]->release != NULL)
            array->children[k]->release(array->children[k]);
        free(array->children[k]);
    }
    free(array->children);
    if (array->dictionary != NULL && array->dictionary->release != NULL)
        array->dictionary->release(array->dictionary);
    free(array->dictionary);
    urlsm_column_free((urlsm_column *)array->private_data);
    array->release = NULL;
}

/* Exports a column that urlsm made. If memory runs out, releases `out` and returns 0. */
static inline int urlsm_array_export(urlsm_column *c, struct ArrowArray *out)
{
    memset(out, 0, sizeof(*out));
    out->length = c->array.length;
    out->null_count = c->array.null_count;
    out->offset = c->array.offset;
    out->n_buffers = c->array.n_buffers;
    out->buffers = c->array.buffers;
    out->private_data = urlsm_column_held(c);
    out->release = urlsm_array_release;
    int whole = 1;
    if (c->array.n_children) {
        out->children = (struct ArrowArray **)calloc((size_t)c->array.n_children, sizeof(void *));
        whole = out->children != NULL;
        out->n_children = whole ? c->array.n_children : 0;
    }
    for (int64_t k = 0; k < out->n_children && whole; k++) {
        out->children[k] = (struct ArrowArray *)calloc(1, sizeof(struct ArrowArray));
        whole = out->children[k] != NULL && urlsm_array_export(c->children[k], out->children[k]);
    }
    if (whole && c->dictionary != NULL) {
        out->dictionary = (struct ArrowArray *)calloc(1, sizeof(struct ArrowArray));
        whole = out->dictionary != NULL && urlsm_array_export(c->dictionary, out->dictionary);
    }
    if (!whole)
        urlsm_array_release(out);
    return whole;
}

static void urlsm_schema_release(struct ArrowSchema *schema)
{
    for (int64_t k = 0; k < schema->n_children; k++) {
        if (schema->children[k] != NULL && schema->children[k]->release != NULL)
            schema->children[k]->release(schema->children[k]);
        free(schema->children[k]);
    }
    free(schema->children);
    if (schema->dictionary != NULL && schema->dictionary->release != NULL)
        schema->dictionary->release(schema->dictionary);
    free(schema->dictionary);
    free(schema->private_data);
    schema->release = NULL;
}

/* Returns how many octets the metadata of a schema has: the number of its pairs, then each key and each value after its
 * length. Returns 0 if there is none, or if a number is negative. */
static inline size_t urlsm_metadata_size(const char *metadata)
{
    int32_t pairs, length;
    size_t n = sizeof(pairs);
    if (metadata == NULL)
        return 0;
    memcpy(&pairs, metadata, sizeof(pairs));
    for (int64_t k = 0; k < 2 * (int64_t)pairs; k++) {
        memcpy(&length, metadata + n, sizeof(length));
        if (length < 0)
            return 0;
        n += sizeof(length) + (size_t)length;
    }
    return pairs > 0 ? n : 0;
}

/* Starts a schema with this format, name and metadata (NULL: none). The caller has to fill in its children and
 * dictionary, or to release it. If memory runs out, releases `out` and returns 0. */
static inline int urlsm_schema_start(struct ArrowSchema *out, const char *format, const char *name,
                                     const char *metadata, int64_t n_children, int dictionary)
{
    size_t formatted = strlen(format) + 1, named = strlen(name) + 1, more = urlsm_metadata_size(metadata);
    /* private_data must not be NULL, which Polars would take for a failure */
    char *texts = (char *)malloc(formatted + named + more);
    memset(out, 0, sizeof(*out));
    if (texts == NULL)
        return 0;
    out->private_data = texts;
    out->format = (const char *)memcpy(texts, format, formatted);
    out->name = (const char *)memcpy(texts + formatted, name, named);
    if (more)
        out->metadata = (const char *)memcpy(texts + formatted + named, metadata, more);
    out->flags = ARROW_FLAG_NULLABLE;
    out->release = urlsm_schema_release;
    int whole = 1;
    if (n_children) {
        out->children = (struct ArrowSchema **)calloc((size_t)n_children, sizeof(void *));
        whole = out->children != NULL;
        out->n_children = whole ? n_children : 0;
    }
    for (int64_t k = 0; k < out->n_children && whole; k++)
        whole = (out->children[k] = (struct ArrowSchema *)calloc(1, sizeof(struct ArrowSchema))) != NULL;
    if (whole && dictionary)
        whole = (out->dictionary = (struct ArrowSchema *)calloc(1, sizeof(struct ArrowSchema))) != NULL;
    if (!whole)
        urlsm_schema_release(out);
    return whole;
}

#endif
