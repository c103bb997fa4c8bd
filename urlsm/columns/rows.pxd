"""Rows of text to columns of fields, without the interpreter's lock: how a job is set up, run in parts and finished."""
from libc.stdint cimport uint64_t
from urlsm.columns.arrow cimport ArrowArray, Column
from urlsm.columns.jobs cimport Job, Plan
from urlsm.crawler.sites cimport Suffixes

cdef int job_start(Job* job, const Plan* plan, const ArrowArray* array, int parts) except -1 nogil
cdef int job_work(Job* job, int number, Suffixes suffixes) except -1 nogil
cdef Column* job_finish(Job* job) except NULL nogil
cdef int job_gather(Job* job) except -1 nogil
cdef void job_move(Job* job, int share) noexcept nogil
cdef Column* with_indices(Column* values, const ArrowArray* array, Column* source, int format, const Plan* plan,
                          const uint64_t* key) except NULL nogil
cdef void job_free(Job* job) noexcept nogil
