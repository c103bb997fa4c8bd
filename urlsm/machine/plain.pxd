"""The plain lane at each width (plain.h), for driver.pyx."""
from urlsm.machine.bounds cimport Lane

cdef extern from "machine/plain.h" nogil:
    const Lane* LANES "URLSM_LANES"
    const Lane NO_LANE "URLSM_NO_LANE"
