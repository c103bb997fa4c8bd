"""The library lexbor, as PHP's Uri\\WhatWg\\Url calls it, with its errors: user information, hosts and paths are
rewritten by its functions, whose names the docstrings quote, before the Standard's parser reads the text."""
from libc.stdint cimport uint32_t, uint8_t
from unicodedata import bidirectional, category
from urlsm.octets.text cimport octet_escaped
from urlsm.readers.ages cimport is_newer
from urlsm.readers.forms cimport decoded, with_full_stops
from urlsm.readers.whatwg cimport KEEPS_SPACE, LETTERS, NULLS, Text, is_drive, standard, text_of_url
from urlsm.url.parser cimport domain_to_ascii
from urlsm.readers.programs import Program

# octets of a path: those that are escaped, and others that lxb_url_path_fast_path looks at or leaves to the slow path
cdef enum:
    ESCAPES = 1
    OTHERS = 2

cdef enum:
    LABEL_MAX = 1000  # characters of a label that is or has Punycode: a limit of ours, as that takes quadratic time

cdef uint8_t[256] CLASS_OF


cdef void classify(bytes octets, uint8_t of_class) noexcept:
    """Put octets into a class."""
    cdef uint8_t octet
    for octet in octets:
        CLASS_OF[octet] = of_class


classify(bytes(range(0x21)) + b'"<>^`{}\x7f' + bytes(range(0x80, 0x100)), ESCAPES)
classify(b"[]|\\/%.?#", OTHERS)
cdef bytes FORBIDDEN_DOMAIN = bytes(range(0x21)) + b"#%/:<>?@[\\]^|\x7f"
cdef bytes HEX_DIGITS = b"0123456789abcdefABCDEF"


cdef object read(str text):
    """lxb_url_parse: the authority and the path are rewritten as lexbor reads them, and put together again. Return the
    components, or what is refused."""
    cdef Text t = text_of_url(text)
    cdef Py_ssize_t start, end, n = len(t.octets)
    cdef bytes head, tail, path = b""
    cdef str host = None
    if t.scheme is None:
        return "scheme"
    if t.opaque:
        return told(standard(text, NULLS | KEEPS_SPACE), t, None, None)
    if t.scheme == b"file":
        t.host, t.host_end = t.authority, t.path  # file host state
        if b"@" in t.octets[t.authority:t.path]:
            return "host"
    elif t.authority < t.host == t.path:
        return "host"
    head = t.octets[:t.path]
    if t.authority < t.path:
        head = t.octets[:t.authority] + userinfo_of(t.octets[t.authority:max(t.authority, t.host - 1)])
        name = t.octets[t.host:t.host_end]
        if t.special and not name.startswith(b"["):
            name = host_of(name)
            if name is None or len(name.translate(None, FORBIDDEN_DOMAIN)) != len(name) or overflows(name):
                return "host"
            if not name.islower() and b"%" in t.octets[t.host:t.host_end]:
                host = name.decode()
        head += name + t.octets[t.host_end:t.path]
    # path start state
    start = t.path
    if t.octets[start:start + 1] == b"/" or (t.special and t.octets[start:start + 1] == b"\\"):
        start += 1
    elif not t.special and (start == n or t.octets[start] in b"?#"):
        start = -1
    end = t.path
    if start >= 0:
        path, end = fast_path(t, start)
    tail = t.octets[end:]
    if tail and tail[:1] not in (b"?", b"#"):
        tail = b""
    text = (head + (b"/" if start >= 0 else b"") + tail).decode("utf-8", "replace")
    return told(standard(text, NULLS), t, path.decode("utf-8", "replace"), host)


cdef object told(object found, Text t, str path, str host):
    """Return the components as PHP gives them, or what is refused. found: what the Standard reads. path, host: those
    that lexbor reads; None: as found."""
    if type(found) is str:
        return found
    scheme, userinfo, name, port, standard_path, query, fragment = <tuple>found
    if name is None and (t.scheme == b"file" or t.octets.startswith(b"//", len(t.scheme) + 1)) and not t.opaque:
        name = ""
    if host is not None and name == host.lower():
        name = host
    if userinfo is not None and ":" not in userinfo:
        userinfo += ":"
    return scheme, userinfo, name, port, standard_path if path is None else path, query, fragment


cdef bytes userinfo_of(bytes given):
    """authority state: return the user information with "@" after it, or nothing. What is before ":" after a first "@"
    is lost."""
    cdef list user = [], password = []
    cdef Py_ssize_t begin = 0, pswd = -1, p, n = len(given)
    cdef bint at_sign = False
    if not given:
        return b""
    given += b"@"
    for p in range(n + 1):
        if given[p] == c':' and pswd < 0:
            pswd = p + 1
        elif given[p] == c'@':
            if p:
                if pswd < 0:
                    user.append(given[begin:p])
                elif not at_sign:
                    user.append(given[begin:pswd - 1])
                if pswd >= 0 and p > pswd:
                    password.append(given[pswd:p])
                    pswd = p
                begin = p
            at_sign = True
    return b"".join(user) + (b":" + b"".join(password) if password else b"") + b"@"


cdef bytes host_of(bytes host):
    """lxb_url_host_parse: return a host in ASCII; None: it is refused. One with escapes keeps its capitals."""
    cdef bytes name = host
    cdef list labels
    if b"%" in host:
        name = decoded(host)
    elif host.isascii() and b"xn--" not in host.lower():
        return host.lower()
    if name.isascii() and b"xn--" not in host.lower():
        return name
    text = points_of(name)
    if text is None:
        return None
    labels = with_full_stops(text).split(".")
    for k in range(len(labels)):
        labels[k] = label_in_ascii(labels[k])
        if labels[k] is None:
            return None
    name = b".".join(labels)
    return name or None


cdef bint overflows(bytes host) except -1:
    """lxb_url_ipv4_number_parse: return whether the last label begins with a number over 32 bits, whatever follows
    it."""
    cdef bytes label = host.removesuffix(b".").rpartition(b".")[2], digits, rest
    if label.translate(None, HEX_DIGITS + b"xX") or label[:2].lower() == b"0x" or len(label) < 10:
        return False
    rest = label.lstrip(b"01234567" if label[:1] == b"0" else b"0123456789")
    digits = label[:len(label) - len(rest)]
    return len(digits.lstrip(b"0")) > 16 or int(digits or b"0", 8 if label[:1] == b"0" else 10) > 0xFFFFFFFF


cdef str points_of(bytes text):
    """lxb_encoding_decode_valid_utf_8_single: return octets as a text; None: they are refused. Octets that follow a
    first one are not checked."""
    cdef list points = []
    cdef Py_ssize_t k = 0, n = len(text), length
    cdef uint32_t point
    try:
        return text.decode()
    except UnicodeDecodeError:
        pass
    while k < n:
        length = 1 if text[k] < 0x80 else 2 + (text[k] >= 0xE0) + (text[k] >= 0xF0) if 0xC0 <= text[k] <= 0xF4 else 0
        if not length or k + length > n:
            return None
        point = text[k] if length == 1 else text[k] & (0xFF >> (length + 1))
        for at in range(k + 1, k + length):
            point = point << 6 | <uint32_t>(text[at] & 0x7F)
        if point > 0x10FFFF:
            return None
        points.append(chr(point))
        k += length
    return "".join(points)


cdef bytes label_in_ascii(str label):
    """lxb_unicode_idna: return a label in ASCII; None: it is refused. It has no rule of RFC 5893, none for joiners, and
    none for a first mark."""
    cdef str name = label, mapped
    cdef bytes ace
    if label.isascii() and not label.lower().startswith("xn--"):
        return label.lower().encode()
    if len(label) > LABEL_MAX:
        return None
    if label.isascii():
        try:
            name = label[4:].encode().decode("punycode")
        except UnicodeError:
            name = None
        if name is None or label.rfind("-") == len("xn--"):  # Python takes a "-" that ends nothing
            return None
        if name.isascii():
            return name.lower().encode()
    if is_newer(name, 170):
        return None
    if label.isascii():
        ace = domain_to_ascii(label.encode())
        if ace:
            return ace
    mapped = "".join([part if part in "\u200c\u200d" else mapped_part(part) for part in joined_parts(name)])
    if mapped.startswith("xn--") and mapped.isascii() and not label.isascii():
        return label_in_ascii(mapped)
    if "\0" in mapped or mapped.startswith("xn--") or (label.isascii() and mapped != name):
        return None
    if mapped.isascii():
        return mapped.encode()
    return b"xn--" + mapped.encode("punycode", "replace")


cdef str mapped_label(str name):
    """Return a label as UTS 46 maps it, whatever its directions are; with NUL if it breaks another rule."""
    cdef str mapped = ""
    cdef Py_ssize_t begin = 0, k
    cdef bint rtl = False, turns
    for k in range(len(name)):
        direction = direction_of(name[k])
        turns = direction in ("R", "AL", "AN") or (rtl and direction == "NSM")
        if turns != rtl and k > begin:
            mapped += mapped_run(name[begin:k], rtl)
            begin = k
        rtl = turns
    return mapped + mapped_run(name[begin:], rtl)


cdef str direction_of(str char):
    """Return the direction of a character; that of its block, if the interpreter's Unicode does not have it."""
    return bidirectional(char) or (
        "R" if "\u0590" <= char <= "\u08ff" or "\U00010800" <= char <= "\U00010fff"
        or "\U0001e800" <= char <= "\U0001efff" else "L")


cdef str mapped_run(str part, bint rtl):
    """Return how UTS 46 maps a part of a label, which is put behind a letter of its direction. rtl: whether that is
    from right to left."""
    return unicode_label(("\u05d0" if rtl else "\u0298") + part).removeprefix("\u05d0" if rtl else "\u0298")


cdef str unicode_label(str name):
    """Return a label as UTS 46 maps it, with NUL if it breaks a rule."""
    cdef bytes found = domain_to_ascii(name.encode("utf-8", "replace"))
    if found.startswith(b"xn--"):
        return found[4:].decode("punycode")
    return found.decode() if found or not name else "\0"


cdef list joined_parts(str name):
    """Return the parts of a label between joiners, and the joiners."""
    cdef list parts = []
    cdef Py_ssize_t begin = 0, k
    for k in range(len(name)):
        if name[k] in "\u200c\u200d":
            parts += [name[begin:k], name[k]]
            begin = k + 1
    return parts + [name[begin:]]


cdef str mapped_part(str part):
    """Return a part of a label as UTS 46 maps it, with NUL if it breaks a rule."""
    if not part or "\0" in part:
        return part
    if category(part[0]).startswith("M"):
        return mapped_label("\u0298" + part).removeprefix("\u0298")
    return mapped_label(part)


cdef tuple fast_path(Text t, Py_ssize_t begin):
    """lxb_url_path_fast_path: return the path, and where it ends. The character after a dot segment is never a
    delimiter, nor are the two after a "%" that begins no escape."""
    cdef bytes o = t.octets
    cdef bytearray out = bytearray()
    cdef Py_ssize_t n = len(o), p = begin, last = begin, after = 0
    cdef size_t count = 0
    cdef uint8_t c
    cdef bint escape, appended = False
    cdef int dots
    while p < n:
        c = o[p]
        if not CLASS_OF[c]:
            p += 1
            continue
        escape = octet_escaped(<const uint8_t*><const char*>o + p, n - p) >= 0
        if c == c'/':
            count += 1
            last = p + 1
        elif c == c'%' and not escape:
            p = n - 1 if n - p < 3 else p + 2
        elif c == c'.' or escape:
            dots = 0
            if p == begin or o[p - 1] == c'/' or (t.special and o[p - 1] == c'\\'):
                dots = dots_at(t, p, &after)
            if dots:
                if p > begin:
                    out += b"/" + o[begin:p - 1]
                    appended = True
                p, begin = (after, after + 1) if after < n else (n - 1, n)
                last = begin
                if dots == 2:
                    if appended:
                        shorten(t, out, &count)
                elif out.endswith(b"/"):
                    out.pop()
            elif escape:
                p += 2
        elif c == c'?' or c == c'#':
            break
        elif c == c'\\' and t.special:
            out += b"/" + o[begin:p]
            appended = True
            count += 1
            begin = last = p + 1
        else:
            if last - 1 > begin:
                out += b"/" + o[begin:last - 1]
            return slow_path(t, out + b"/", last, count)
        p += 1
    return bytes(out + b"/" + o[begin:p]), p


cdef int shorten(Text t, bytearray out, size_t* count) except -1:
    """lxb_url_path_shorten: remove the last segment, unless it is a drive letter. count: of segments; one less is
    counted where there is none, which is the greatest size_t after 0."""
    if t.scheme == b"file" and count[0] == 1 and len(out) > 2 and bytes(out[1:2]) in LETTERS and out[2] == c':':
        return 0
    count[0] -= 1
    del out[max(out.rfind(b"/"), 0):]
    return 0


cdef int dots_at(Text t, Py_ssize_t p, Py_ssize_t* end) noexcept:
    """Return how many dots the dot segment at p has, 0 if it is none. end: set to where it ends."""
    cdef const uint8_t* o = <const uint8_t*><const char*>t.octets
    cdef Py_ssize_t n = len(t.octets)
    cdef int dots = 0
    while p < n and dots < 3 and o[p] != c'/' and o[p] != c'?' and o[p] != c'#' and not (t.special and o[p] == c'\\'):
        if o[p] == c'%' and n - p > 2 and o[p + 1] == c'2' and o[p + 2] | 0x20 == c'e':
            p += 2
        elif o[p] != c'.':
            return 0
        dots += 1
        p += 1
    end[0] = p
    return dots if dots < 3 else 0


cdef tuple slow_path(Text t, bytearray out, Py_ssize_t p, size_t count):
    """lxb_url_path_slow_path: return the path, and where it ends. out: what is written of it already, up to p. count:
    of the segments that were counted."""
    cdef bytes o = t.octets
    cdef Py_ssize_t n = len(o), last = len(out), end = 0
    cdef uint8_t c
    cdef int dots
    while p < n:
        c = o[p]
        if c == c'/' or (c == c'\\' and t.special):
            fix_drive(t, out, last, count)
            out.append(c'/')
            count += 1
            last = len(out)
        elif c == c'?' or c == c'#':
            break
        elif CLASS_OF[c] & ESCAPES:
            out += b"%%%02X" % c
        else:
            if (c == c'.' or c == c'%') and last == len(out):
                dots = dots_at(t, p, &end)
                if dots:
                    if dots == 2 and count > 0 and not (
                            t.scheme == b"file" and count == 1 and last > 3 and bytes(out[1:2]) in LETTERS
                            and out[2] == c':'):
                        count -= 1
                        last = out.rfind(b"/", 0, last - 1) + 1 or 1
                        del out[last:]
                    p = end + 1
                    continue
            out.append(c)
        p += 1
    fix_drive(t, out, last, count)
    return bytes(out), min(p, n)


cdef int fix_drive(Text t, bytearray out, Py_ssize_t last, size_t count) except -1:
    """lxb_url_path_fix_windows_drive: write ":" after a drive letter."""
    if t.scheme == b"file" and count == 0 and len(out) - last == 2 and is_drive(bytes(out[last:])):
        out[last + 1] = c':'
    return 0


def php_whatwg(str text, int release):
    return read(text)


PROGRAMS = (Program("php-whatwg", "PHP, Uri\\WhatWg\\Url", ("8.5.10",), php_whatwg),)
