"""This compiled module is a plug-in of Polars, by Polars' C ABI (plugin.h)."""
from cpython.bytes cimport PyBytes_AS_STRING
from cpython.exc cimport PyErr_Occurred
from cpython.object cimport PyObject
from libc.stdint cimport uint8_t
from libc.string cimport memset, strcmp
from urlsm.columns.arrow cimport ArrowArray, ArrowSchema, Column, array_export, column_free, column_import
from urlsm.columns.cells cimport VIEW, cells_of
from urlsm.columns.fields cimport F_SITE
from urlsm.columns.jobs cimport Job, MAX_FIELDS, Plan, go_through, read_as
from urlsm.columns.rows cimport job_finish, job_free, job_start, job_work
from urlsm.columns.told cimport told
from urlsm.crawler.sites cimport suffixes_or_default
from urlsm.machine.driver cimport dialect_at
from urlsm.octets.once cimport publish, published

cdef extern from "columns/plugin.h" nogil:
    ctypedef struct Asked "urlsm_asked":
        const char* p
        size_t n
    ctypedef int (*Answer)(Asked asked, const ArrowSchema* type, ArrowArray* chunk, ArrowArray* out) noexcept nogil
    Answer answer_polars "urlsm_answer"
    int next_field "urlsm_next_field"(Asked* asked, char* name) noexcept
    int failed "urlsm_failed"(const char* message, const char* detail) noexcept

# of job_work and others, whose error is handled here: on a thread that is not Python's, it is gone at once
ctypedef int (*Start)(Job*, const Plan*, const ArrowArray*, int) noexcept nogil
ctypedef int (*Go)(Job*, int, void*) noexcept nogil
ctypedef Column* (*Finish)(Job*) noexcept nogil

cdef PyObject* polars_suffixes = NULL


cdef int tell() noexcept:
    """Give Polars the text of the current exception; without one, the interpreter had no memory for it."""
    text = told()
    if text is None:
        return failed("MemoryError: %s", "urlsm")
    return failed("%s", PyBytes_AS_STRING(text))


cdef int take_suffixes() except 0:
    publish(&polars_suffixes, suffixes_or_default(None))
    return 1


cdef int load_suffixes() noexcept with gil:
    """Load the public suffix list, and keep it. Returns 0 for a failure."""
    return 1 if (<int (*)() noexcept>take_suffixes)() else tell()


cdef void plan_of(Plan* plan, Asked asked) noexcept nogil:
    """Set the plan of a request; its answer is in views."""
    cdef int field
    cdef char kind = asked.p[0], dialect = asked.p[1]
    memset(plan, 0, sizeof(Plan))
    plan.layout = VIEW
    plan.single, plan.bare_hosts = kind != c'+', kind == c'?'
    asked.p += 2
    asked.n -= 2
    while plan.count < (1 if plan.single else MAX_FIELDS):  # the parameter's name follows a single one
        field = next_field(&asked, NULL)
        if field < 0:
            break
        plan.fields[plan.count] = field
        plan.count += 1
    plan.name, plan.name_length = <const uint8_t*>asked.p, asked.n
    read_as(plan, NULL if dialect == c'-' else dialect_at(dialect - c'0'))


cdef Column* column_of(const Plan* plan, Column* source, const ArrowSchema* type) noexcept nogil:
    """Return the answer for all rows. NULL for a failure."""
    cdef Job job
    cdef Column* made = NULL
    cdef const ArrowArray* values = &source.array
    cdef const char* format = type.format if type.dictionary == NULL else type.dictionary.format
    cdef int more = 1
    memset(&job, 0, sizeof(Job))
    job.rows, job.source = values.length, source
    if type.dictionary != NULL:
        values = values.dictionary
    cells_of(&job.cells, values, format)
    if type.dictionary != NULL:
        go_through(&job.cells, &source.array, type.format[0])
    if (<Start>job_start)(&job, plan, values, 1) == 0:
        while more > 0:
            more = (<Go>job_work)(&job, 0, published(&polars_suffixes))
        if more == 0:
            made = (<Finish>job_finish)(&job)
    job_free(&job)
    return made


cdef Column* column_or_reason(const Plan* plan, Column* source, const ArrowSchema* type) noexcept with gil:
    """column_of, called again after a failure whose exception is gone: this is now a thread of Python's, which keeps
    the exception."""
    cdef Column* made = NULL
    if PyErr_Occurred() == NULL:
        with nogil:
            made = column_of(plan, source, type)
    if made == NULL:
        tell()
    return made


cdef int answered(Asked asked, const ArrowSchema* type, ArrowArray* chunk, ArrowArray* out) noexcept nogil:
    """Answer for a chunk of a column, without the interpreter's lock. Returns 0 for a failure."""
    cdef Plan plan
    cdef Column* source
    cdef Column* made
    cdef const char* format = type.format if type.dictionary == NULL else type.dictionary.format
    cdef int f
    cdef bint whole, asks_site = False
    plan_of(&plan, asked)
    for f in range(plan.count):
        asks_site |= plan.dialect == NULL and plan.fields[f] == F_SITE
    if strcmp(format, "vu") != 0 and (plan.dialect != NULL or strcmp(format, "vz") != 0) and strcmp(format, "n") != 0:
        return failed("urlsm: expected a column of String, not one of the Arrow format %s", format)
    if asks_site and published(&polars_suffixes) == NULL and not load_suffixes():
        return 0
    source = column_import(chunk)
    if source == NULL:
        return failed("MemoryError: %s", "urlsm")
    made = column_of(&plan, source, type)
    if made == NULL:
        made = column_or_reason(&plan, source, type)
    whole = made != NULL
    if whole and not array_export(made, out):
        whole = failed("MemoryError: %s", "urlsm")
    column_free(made)
    column_free(source)
    return whole


answer_polars = answered
