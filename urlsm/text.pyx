"""Text in, positions out. The machine counts octets of what it read; users count characters of what
they gave (bytes, where they gave bytes)."""
cimport cython
from cpython.unicode cimport PyUnicode_FromObject
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from urlsm.buffer cimport ascii_data, is_ascii
from urlsm.chars cimport CLASS
from urlsm.machine cimport MAX_LENGTH


cdef str exact(object text):
    """A str as it is, one of a subclass as an exact copy. TypeError for anything else."""
    if type(text) is str:
        return text
    if not isinstance(text, str):
        raise TypeError(f"expected str, not {type(text).__name__}")
    return PyUnicode_FromObject(text)


cdef bytes scalar_values(str text):
    """text as UTF-8, lone surrogates as U+FFFD (Infra, scalar value string). Both take three octets."""
    cdef bytes octets
    cdef Py_ssize_t begin = 0, k
    cdef list chunks = []
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        octets = text.encode("utf-8", "surrogatepass")
    k = octets.find(b"\xed")
    while k >= 0:
        if octets[k + 1] >= 0xA0:
            chunks.append(octets[begin:k])
            begin = k + 3
        k = octets.find(b"\xed", k + 3)
    chunks.append(octets[begin:])
    return b"\xef\xbf\xbd".join(chunks)


cdef Octets octets_of(object given, bint raw):
    """The octets of a str, of bytes (raw: as they are; else decoded as UTF-8 and encoded again), or of
    whatever has a str `href` (a URL). TypeError for anything else."""
    cdef Octets text = Octets.__new__(Octets)
    cdef Py_ssize_t n = 0
    text.given = given
    if not isinstance(given, (str, bytes)):
        given = getattr(given, "href", None)
        if type(given) is not str:
            raise TypeError(f"a URL is str, bytes or urlsm.URL, not {type(text.given).__name__}")
    if isinstance(given, str):
        given = exact(given)
        if is_ascii(given):
            text.is_text = True
            text.owner = given
            text.p = ascii_data(given)
            n = len(<str>given)
        else:
            text.owner = given.encode("utf-8", "surrogatepass") if raw else scalar_values(given)
    elif raw or (<bytes>given).isascii():
        text.owner = given
    else:
        text.owner = (<bytes>given).decode("utf-8", "replace").encode("utf-8")
    if text.p == NULL:
        text.p = <const uint8_t*>PyBytes_AS_STRING(text.owner)
        n = PyBytes_GET_SIZE(text.owner)
    text.too_long = n > MAX_LENGTH
    text.n = 0 if text.too_long else n
    return text


cdef bint contains(const uint8_t* p, uint32_t start, uint32_t end, uint32_t bits) noexcept nogil:
    while start < end:
        if CLASS[p[start]] & bits:
            return True
        start += 1
    return False


cdef bytes without(const uint8_t* p, uint32_t start, uint32_t end, uint32_t removed):
    """A copy of p[start:end] without the octets of these classes ("remove all ASCII tab or newline")."""
    cdef bytes kept = p[start:end]
    cdef uint8_t* out = <uint8_t*>PyBytes_AS_STRING(kept)
    cdef Py_ssize_t n = 0
    while start < end:
        if not CLASS[p[start]] & removed:
            out[n] = p[start]
            n += 1
        start += 1
    return kept[:n]


def positions(given, removed_from: int = -1, trimmed: bool = True):
    """For each octet of what the machine read, and for the end: its position in given (characters of
    str, bytes of bytes). removed_from: tabs and newlines were removed from this octet on, and those
    before it are not there either; -1: nothing was. trimmed: were C0 controls and spaces taken off the end?
    """
    cdef Py_ssize_t k, position = 0
    cdef list found = []
    if not isinstance(given, (str, bytes)):
        given = given.href
    if given.isascii():
        octets = given if isinstance(given, bytes) else given.encode("ascii")
        found = list(range(len(octets) + 1))
    elif isinstance(given, str):
        octets = given.encode("utf-8", "surrogatepass")
        for k in range(len(octets)):
            position += k > 0 and octets[k] & 0xC0 != 0x80
            found.append(position)
        found.append(len(given))
    else:
        # one U+FFFD, three octets, may stand for one to three bytes
        from codecs import getincrementaldecoder
        decoder = getincrementaldecoder("utf-8")("replace")
        octets = bytearray()
        for k in range(len(given) + 1):
            piece = decoder.decode(given[k:k + 1], k == len(given)).encode("utf-8")
            octets += piece
            found += [position] * len(piece)
            if piece:
                position = k + 1
        found.append(len(given))
    if removed_from < 0:
        return found
    end = len(octets)
    while trimmed and end > removed_from and octets[end - 1] <= 0x20:  # trimmed before anything was removed
        end -= 1
    return [found[k] for k in range(removed_from, end) if octets[k] not in b"\t\n\r"] + [found[end]]


def position_of(given, octet: int, removed_from: int = -1) -> int:
    """The position in given of one octet of what the machine read; see positions."""
    if not isinstance(given, (str, bytes)):
        given = given.href
    if removed_from < 0 and given.isascii():
        return min(octet, len(given))
    if removed_from < 0 and isinstance(given, str):
        return len(given.encode("utf-8", "surrogatepass")[:octet].decode("utf-8", "surrogatepass"))
    found = positions(given, removed_from)
    return found[min(octet, len(found) - 1)]


def decode_escapes(text: str):
    """text in pieces (decoded, written): each run of escapes cut into the characters it is UTF-8 of;
    what is no escape, or not UTF-8, stands for itself."""
    cdef Py_ssize_t k = 0, n = len(text), size
    pieces = []
    while k < n:
        if text[k] != "%":
            end = text.find("%", k)
            end = n if end < 0 else end
            pieces.append((text[k:end], text[k:end]))
            k = end
            continue
        for size in range(1, 5):
            try:
                octets = bytes.fromhex(text[k:k + 3 * size].replace("%", " ")) \
                    if text[k:k + 3 * size:3] == "%" * size else b""
                decoded = octets.decode("utf-8") if len(octets) == size else ""
            except ValueError:
                continue
            if decoded:
                pieces.append((decoded, text[k:k + 3 * size]))
                k += 3 * size
                break
        else:
            pieces.append(("%", "%"))
            k += 1
    return pieces
