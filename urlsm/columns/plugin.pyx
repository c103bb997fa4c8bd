"""The plug-in of Polars: this compiled module is one, by Polars' C ABI (plugin.h)."""
from cpython.exc cimport PyErr_Clear, PyErr_Occurred
from libc.stdint cimport uint8_t
from libc.string cimport memset, strcmp
from urlsm.columns.arrow cimport ArrowArray, ArrowSchema, Column, array_export, column_free, column_import
from urlsm.columns.cells cimport VIEW
from urlsm.columns.rows cimport (
    F_SITE, Job, MAX_FIELDS, Plan, cells_of, go_through, job_finish, job_free, job_start, job_work, read_as,
)
from urlsm.crawler.sites cimport suffixes_or_default
from urlsm.crawler.suffix_list cimport Suffixes
from urlsm.machine.driver cimport dialect_at

cdef extern from "columns/plugin.h" nogil:
    ctypedef struct Asked "urlsm_asked":
        const char* p
        size_t n
    ctypedef int (*Answer)(Asked asked, const ArrowSchema* type, ArrowArray* chunk, ArrowArray* out) noexcept nogil
    Answer answer_polars "urlsm_answer"
    int next_field "urlsm_next_field"(Asked* asked, char* name) noexcept
    int failed "urlsm_failed"(const char* message, const char* detail) noexcept

# job_work and others, where an error is looked at here: in a thread that is not Python's, it is gone at once
ctypedef int (*Start)(Job*, const Plan*, const ArrowArray*, int) noexcept nogil
ctypedef int (*Go)(Job*, int, void*) noexcept nogil
ctypedef Column* (*Finish)(Job*) noexcept nogil

cdef Suffixes polars_suffixes = None


cdef int load_suffixes() noexcept with gil:
    """The list of sites: 0 where there is none. It stays."""
    global polars_suffixes
    cdef int outcome = 1
    try:
        polars_suffixes = suffixes_or_default(None)
    except BaseException:
        outcome = 0
    return outcome


cdef int why_failed() noexcept with gil:
    """What Polars will say. (An error is memory's, but for a defect of ours.)"""
    if PyErr_Occurred() != NULL:
        PyErr_Clear()
    return failed("MemoryError: %s", "urlsm")


cdef void plan_of(Plan* plan, Asked asked) noexcept nogil:
    """The plan of what is asked; views go out."""
    cdef char[32] name
    cdef int field
    cdef char kind = asked.p[0], dialect = asked.p[1]
    memset(plan, 0, sizeof(Plan))
    plan.layout = VIEW
    plan.single, plan.bare_hosts = kind != c'+', kind == c'?'
    asked.p += 2
    asked.n -= 2
    while plan.count < (1 if plan.single else MAX_FIELDS):  # what follows a single one is the parameter's name
        field = next_field(&asked, name)
        if field < 0:
            break
        plan.fields[plan.count] = field
        plan.count += 1
    plan.name, plan.name_length = <const uint8_t*>asked.p, asked.n
    read_as(plan, NULL if dialect == c'-' else dialect_at(dialect - c'0'))


cdef int answered(Asked asked, const ArrowSchema* type, ArrowArray* chunk, ArrowArray* out) noexcept nogil:
    """A chunk of a column answered, without the interpreter's lock. 0 where that failed."""
    cdef Plan plan
    cdef Job job
    cdef Column* source
    cdef Column* made
    cdef const ArrowArray* values
    cdef const char* format = type.format if type.dictionary == NULL else type.dictionary.format
    cdef int more = 1, f
    cdef bint whole, asks_site = False
    plan_of(&plan, asked)
    for f in range(plan.count):
        asks_site |= plan.dialect == NULL and plan.fields[f] == F_SITE
    if strcmp(format, "vu") != 0 and (plan.dialect != NULL or strcmp(format, "vz") != 0) and strcmp(format, "n") != 0:
        return failed("urlsm: expected a column of String, not one of the Arrow format %s", format)
    if asks_site and polars_suffixes is None and not load_suffixes():
        return failed("urlsm: sites need %s: pip install 'urlsm[suffixes]'", "publicsuffixlist")
    source = column_import(chunk)
    if source == NULL:
        return why_failed()
    memset(&job, 0, sizeof(Job))
    values = &source.array
    job.rows, job.source = values.length, source
    if type.dictionary != NULL:
        values = values.dictionary
    cells_of(&job.cells, values, format)
    if type.dictionary != NULL:
        go_through(&job.cells, &source.array, type.format[0])
    whole = (<Start>job_start)(&job, &plan, values, 1) == 0
    while whole and more > 0:
        more = (<Go>job_work)(&job, 0, <void*>polars_suffixes)
    made = (<Finish>job_finish)(&job) if whole and more == 0 else NULL
    whole = made != NULL and array_export(made, out)
    column_free(made)
    column_free(source)
    job_free(&job)
    return 1 if whole else why_failed()


answer_polars = answered
