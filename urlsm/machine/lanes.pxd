"""The plain lane at each width (lane/one.h), for driver.pyx."""
from urlsm.machine.bounds cimport Lane

cdef extern from "machine/lane/one.h" nogil:
    const Lane* LANES "URLSM_LANES"
    const Lane NO_LANE "URLSM_NO_LANE"
