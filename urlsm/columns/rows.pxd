"""Functions that start a job, run its parts and finish it. A job makes columns of fields from rows of text."""
from libc.stdint cimport int32_t, int64_t, uint8_t
from urlsm.columns.arrow cimport ArrowArray, Column
from urlsm.columns.cells cimport Cells
from urlsm.columns.jobs cimport Job, Plan
from urlsm.crawler.sites cimport PublicSuffixList

cdef int job_start(Job* job, const Plan* plan, const ArrowArray* array, int parts) except -1 nogil
cdef int job_work(Job* job, int number, PublicSuffixList suffixes) except -1 nogil
cdef Column* job_finish(Job* job) except NULL nogil
cdef int job_gather(Job* job) except -1 nogil
cdef void job_move(Job* job, int share) noexcept nogil
cdef Column* with_indices(Column* values, const ArrowArray* array, Column* source, int format,
                          const Plan* plan) except NULL nogil
cdef Column* names_of(const Column* words, const uint8_t* names, const int32_t* ends) except NULL nogil
cdef Column* segments_of(const Cells* cells, int64_t rows) except NULL nogil
cdef void job_free(Job* job) noexcept nogil
