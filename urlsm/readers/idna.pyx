"""International domain names in ASCII, as programs of IDNA 2003 write them."""
import re

cdef enum:
    LABEL_MAX = 63
    TEXT_MAX = 1024   # characters


FULL_STOP = re.compile("[.\u3002\uff0e\uff61]")


cdef str idna2003(str domain):
    """Return a domain in ASCII by RFC 3490, with unassigned code points allowed. A label of more than 1,024 characters
    is refused: to normalise it takes quadratic time."""
    cdef list labels
    cdef Py_ssize_t k
    if domain.isascii():  # "label empty or too long"
        labels = domain.split(".")
        for k in range(len(labels)):
            if len(<str>labels[k]) > LABEL_MAX or (not labels[k] and k < len(labels) - 1):
                return None
        return domain
    if len(domain) > TEXT_MAX and max(map(len, FULL_STOP.split(domain))) > TEXT_MAX:
        return None
    try:
        return domain.encode("idna").decode("ascii")
    except UnicodeError:
        pass
    return None
