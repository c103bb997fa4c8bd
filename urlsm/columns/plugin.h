/* A plug-in for Polars, by the C ABI of Polars (polars-ffi 0.1). Polars loads our library and calls the functions that
 * the library exports here. It calls them on any thread, without the interpreter's lock; only the functions named
 * _polars_plugin_field_... may be called with the lock.
 *
 * A column comes as an urlsm_series, with chunks in the Arrow C data interface (arrow.h). We take over the chunks'
 * arrays; the release of the series then frees only the memory of the structs. An answer goes to Polars in the same
 * way: Polars takes over its arrays, and releases the series.
 */
#ifndef URLSM_PLUGIN_H
#define URLSM_PLUGIN_H
#include <stdio.h>
#include "columns/arrow.h"
#include "columns/fields.h"
#include "columns/kwargs.h"

typedef struct urlsm_series {
    struct ArrowSchema *field;
    struct ArrowArray **arrays;
    size_t count;
    void (*release)(struct urlsm_series *);
    void *private_data;
} urlsm_series;

static URLSM_THREAD_LOCAL char urlsm_message[256];

/* The function that makes the answer for a chunk. It takes over the chunk's array, and returns 0 for a failure. The
 * module urlsm.columns.work sets this pointer when it is imported. */
static int (*urlsm_answer)(urlsm_request request, const struct ArrowSchema *type, struct ArrowArray *chunk,
                           struct ArrowArray *out) = NULL;

static int urlsm_failed(const char *message, const char *detail)
{
    snprintf(urlsm_message, sizeof(urlsm_message), message, detail);
    return 0;
}

static int urlsm_take_kwargs(urlsm_request *request, const uint8_t *p, size_t n)
{
    if (urlsm_read_kwargs(request, p, n))
        return 1;
    return urlsm_failed("urlsm: this Polars passes arguments in an unknown form%s", "");
}

enum { URLSM_NAME = 32 }; /* room for the name of a field and a NUL */

/* Removes the next field from the request, and returns its number. Writes its name to `name` unless `name` is NULL.
 * Returns -1 if no field is left; the request then holds the name of the query parameter. */
static int urlsm_next_field(urlsm_request *request, char *name)
{
    const char *comma = (const char *)memchr(request->p, ',', request->n);
    if (comma == NULL || comma == request->p || comma - request->p > URLSM_NAME)
        return -1;
    int field = request->p[0] - 'A';
    size_t n = (size_t)(comma - request->p) - 1;
    if (name != NULL) {
        memcpy(name, request->p + 1, n);
        name[n] = 0;
    }
    request->n -= n + 2;
    request->p = comma + 1;
    return field;
}

/* Sets `out` to the type of the answer to a request. The answer gets the name of the column that Polars passed. */
static int urlsm_type(struct ArrowSchema *out, urlsm_request request, const char *column)
{
    int single = request.p[0] != '+', split = request.p[1] != '-', whole = 1;
    int64_t count = 0;
    char name[URLSM_NAME];
    request.p += 2;
    request.n -= 2;
    for (urlsm_request rest = request; !(single && count) && urlsm_next_field(&rest, NULL) >= 0;)
        count++;
    if (!single)
        whole = urlsm_schema_start(out, "+s", column, NULL, count, 0);
    for (int64_t k = 0; k < count && whole; k++) {
        int field = urlsm_next_field(&request, name);
        const char *format = split ? NULL : urlsm_field_format(field);
        whole = urlsm_schema_start(single ? out : out->children[k], format == NULL ? "vu" : format,
                                   single ? column : name, NULL, 0, 0);
    }
    if (whole)
        return 1;
    if (out->release != NULL)
        out->release(out);
    memset(out, 0, sizeof(*out));
    return urlsm_failed("MemoryError: %s", column);
}

typedef struct urlsm_box {
    struct ArrowSchema schema;
    struct ArrowArray **pointers, *arrays;
} urlsm_box;

static void urlsm_box_free(urlsm_box *box)
{
    if (box != NULL && box->schema.release != NULL)
        box->schema.release(&box->schema);
    free(box);
}

static void urlsm_series_release(urlsm_series *series)
{
    urlsm_box_free((urlsm_box *)series->private_data); /* the arrays were moved, so they are not released here */
    series->release = NULL;
    series->private_data = NULL;
}

static void urlsm_call(urlsm_series *in, size_t n, const uint8_t *kwargs, size_t kwargs_n, urlsm_series *out)
{
    urlsm_request request;
    size_t count = in->count;
    urlsm_box *box = (urlsm_box *)calloc(1, sizeof(urlsm_box) + count * (sizeof(struct ArrowArray) + sizeof(void *)));
    int whole = urlsm_take_kwargs(&request, kwargs, kwargs_n);
    if (whole && urlsm_answer == NULL)
        whole = urlsm_failed("urlsm is not imported in this process: import urlsm.engines.polars%s", "");
    if (box == NULL)
        whole = urlsm_failed("MemoryError: %s", in->field->name);
    whole = whole && urlsm_type(&box->schema, request, in->field->name);
    if (box != NULL) {
        box->arrays = (struct ArrowArray *)(box + 1);
        box->pointers = (struct ArrowArray **)(box->arrays + count);
    }
    for (size_t k = 0; k < count; k++) {
        if (whole) {
            box->pointers[k] = &box->arrays[k];
            whole = urlsm_answer(request, in->field, in->arrays[k], &box->arrays[k]);
        }
        if (in->arrays[k]->release != NULL)
            in->arrays[k]->release(in->arrays[k]);
    }
    for (size_t k = 0; k < n; k++)
        in[k].release(&in[k]);
    if (whole) {
        urlsm_series made = {&box->schema, box->pointers, count, urlsm_series_release, box};
        *out = made;
        return;
    }
    for (size_t k = 0; box != NULL && k < count; k++)
        if (box->arrays[k].release != NULL)
            box->arrays[k].release(&box->arrays[k]);
    urlsm_box_free(box);
}

URLSM_EXPORT uint32_t _polars_plugin_get_version(void) { return 1; /* the major version << 16 | the minor version */ }

URLSM_EXPORT const char *_polars_plugin_get_last_error_message(void) { return urlsm_message; }

#define URLSM_POLARS(NAME)                                                                                             \
    URLSM_EXPORT void _polars_plugin_##NAME(urlsm_series *in, size_t n, const uint8_t *kwargs, size_t kwargs_n,        \
                                            urlsm_series *out, void *context)                                          \
    {                                                                                                                  \
        (void)context;                                                                                                 \
        urlsm_call(in, n, kwargs, kwargs_n, out);                                                                      \
    }                                                                                                                  \
    URLSM_EXPORT void _polars_plugin_field_##NAME(struct ArrowSchema *fields, size_t n, struct ArrowSchema *out,       \
                                                  const uint8_t *kwargs, size_t kwargs_n)                              \
    {                                                                                                                  \
        urlsm_request request;                                                                                         \
        if (n && urlsm_take_kwargs(&request, kwargs, kwargs_n))                                                        \
            urlsm_type(out, request, fields->name);                                                                    \
    }

URLSM_POLARS(url_scheme)
URLSM_POLARS(url_username)
URLSM_POLARS(url_password)
URLSM_POLARS(url_host)
URLSM_POLARS(url_port)
URLSM_POLARS(url_path)
URLSM_POLARS(url_query)
URLSM_POLARS(url_fragment)
URLSM_POLARS(url_href)
URLSM_POLARS(url_authority)
URLSM_POLARS(url_origin)
URLSM_POLARS(url_can_parse)
URLSM_POLARS(url_error_position)
URLSM_POLARS(url_registrable_domain)
URLSM_POLARS(url_public_suffix)
URLSM_POLARS(url_query_param)
URLSM_POLARS(url_parse)
URLSM_POLARS(url_split)

#endif
