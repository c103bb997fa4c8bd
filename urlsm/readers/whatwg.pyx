"""Programs of the URL Standard: each reads as urlsm.parse does, but for a few rules of its own.

A program's rules work on the text before the Standard's parser reads it (`Text` knows where the components lie), or on
the components afterwards. No state of the machine knows of them.
"""
from libc.stdint cimport uint32_t
from urlsm.machine.log cimport FILE_HOST_STATE, HOST_STATE, PORT_STATE
from urlsm.machine.machine cimport ABSENT
from urlsm.machine.special cimport FTP, HTTP, HTTPS, NOT_SPECIAL, WS, WSS
from urlsm.octets.text cimport octets_of
from urlsm.readers.ada2 cimport KNOWN, ada_host, ada_label, coded_after_delimiter
from urlsm.readers.ages cimport is_newer, is_newly_allowed
from urlsm.readers.forms cimport decoded, first_of, is_scheme
from urlsm.url.parser cimport domain_to_ascii
from urlsm.url.spans cimport end_of_query, host_span, password_span, path_span, port_span, username_span
from urlsm.url.structs cimport Failure
from urlsm.url.value cimport URL, part as part_of, part_at, read_url
from urlsm.readers.programs import Program

cdef enum:
    LABEL_MAX = 1000  # a limit of ours, as Punycode takes quadratic time

cdef dict DEFAULT_PORTS = {HTTP: "80", HTTPS: "443", WS: "80", WSS: "443", FTP: "21"}
cdef frozenset SPECIAL = frozenset((b"http", b"https", b"ws", b"wss", b"ftp", b"file"))
# octets of a path that are escaped, and "\\" and "%"
cdef bytes ADA_2_ESCAPED = bytes(range(0x21)) + b"\"#?<>`{}\x7f\\%" + bytes(range(0x80, 0x100))
cdef bytes C0_AND_SPACE = bytes(range(0x21))
cdef bytes LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


# --- where the components of a text lie ----------------------------------------------------------

cdef class Text:
    """A text with what the Standard removes taken off, and where its components lie in it. A component that is absent
    is empty. Where they lie in a text that the Standard refuses, but for its host or port, does not matter."""

    cdef str with_part(self, Py_ssize_t start, Py_ssize_t end, bytes new):
        """Return the text with new octets at start:end."""
        return (self.octets[:start] + new + self.octets[end:]).decode()


cdef Text text_of_url(str text):
    """Return a text as a Text, which knows where its components lie."""
    cdef Text t = Text.__new__(Text)
    cdef bytes octets = text.encode("utf-8", "replace").strip(C0_AND_SPACE).translate(None, b"\t\n\r")
    cdef Py_ssize_t n = len(octets), k = octets.find(b":"), end
    t.octets = octets
    if k < 1 or not is_scheme(octets[:k]):
        return t
    t.scheme = octets[:k].lower()
    t.special = t.scheme in SPECIAL
    k += 1
    t.path_end = first_of(octets, k, n, b"?#")
    if t.special and t.scheme != b"file":
        while k < n and octets[k] in b"/\\":
            k += 1
    elif octets.startswith(b"//", k) or (t.special and octets[k:k + 2] in (b"/\\", b"\\/", b"\\\\")):
        k += 2
    else:
        t.authority = t.host = t.host_end = t.path = k
        t.opaque = not t.special and not octets.startswith(b"/", k)
        return t
    t.authority = k
    t.path = end = first_of(octets, k, t.path_end, b"/\\" if t.special else b"/")
    t.host = octets.rfind(b"@", k, end) + 1 or k
    k = octets.find(b"]", t.host, end) if octets.startswith(b"[", t.host) else -1
    k = octets.find(b":", max(k, t.host), end)
    t.host_end = end if k < 0 else k
    if t.scheme == b"file" and is_drive(octets[t.authority:end]):  # file host state
        t.host = t.host_end = t.path = t.authority
    return t


cdef int dots_in(bytes segment) except -1:
    """Return 1 if a segment of a path is ".", 2 if it is "..", escaped or not; 0 for any other."""
    cdef bytes plain = segment.lower().replace(b"%2e", b".") if len(segment) <= 6 else segment
    return 2 if plain == b".." else plain == b"."


cdef list segments(Text t):
    """Return the segments of a path, without the first "/"."""
    cdef bytes path = t.octets[t.path:t.path_end]
    if t.special:
        path = path.replace(b"\\", b"/")
    return path.removeprefix(b"/").split(b"/")


# --- the Standard's parser, and the API ----------------------------------------------------------

cdef URL parsed(str text, Failure* failure):
    """Return the URL of a text; None: it is refused, and failure is set."""
    return read_url(octets_of(text, False), None, None, failure, NULL)


cdef str refusal(const Failure* failure):
    """Return which component the Standard's parser refused."""
    if failure.step == HOST_STATE or failure.step == FILE_HOST_STATE:
        return "host"
    return "port" if failure.step == PORT_STATE else "scheme"


cdef object standard(str text, int rules):
    """Return the components of a text, as an API of the URL Standard gives them, or what is refused."""
    cdef Failure failure
    cdef URL url
    if rules & RUST:
        text = rust_text(text)
    if rules & ADA_2:
        text = ada_2_text(text)
        if "\u1e9e" in text:
            text = ada_text(text, rules) or text
    url = parsed(text, &failure)
    if url is None and not (rules & ADA and not text.isascii()):
        return refusal(&failure)
    if url is None or (rules & DECODES_ACE and url.o.kind != NOT_SPECIAL
                       and not ace_decodes(part_at(url, host_span(&url.o)), rules & RUST)) \
            or (rules & ADA and has_newer_host(url, text, KNOWN, rules & DECODES_ACE)):
        text = ada_text(text, rules) if rules & ADA else None
        url = parsed(text, &failure) if text is not None else None
        if url is None:
            return "host"
    if rules >= UNICODE and has_newer_host(url, text, rules // UNICODE, rules & DECODES_ACE):
        return "host"
    return components(url, text, rules)


cdef bint has_newer_host(URL url, str text, uint32_t version, bint ace) except -1:
    """Return whether the domain of a URL has code points that UTS 46 does not allow in a version of Unicode, times ten;
    for KNOWN, that this version does not have. ace: also in labels that begin with "xn--"."""
    cdef object host = part_at(url, host_span(&url.o))
    cdef Text t
    cdef bytes raw
    if host is None or url.o.kind == NOT_SPECIAL:
        return False
    if "xn--" not in host and text.isascii() and "%" not in text:
        return False
    t = text_of_url(text)
    raw = decoded(t.octets[t.host:t.host_end])
    if raw.isascii() and not ace:
        return False
    labels = [raw.decode("utf-8", "replace")]
    if "xn--" in host:
        labels += [punycode_decoded(label[4:]) for label in host.split(".") if label.startswith("xn--")]
    return any([is_newer(label, version) if version == KNOWN else is_newly_allowed(label, version) for label in labels])


cdef str punycode_decoded(str label):
    """Return what the Punycode of a label decodes to; "" if it does not, or has more than LABEL_MAX characters."""
    try:
        return label.encode().decode("punycode") if len(label) <= LABEL_MAX else ""
    except UnicodeError:
        pass
    return ""


cdef bint ace_decodes(str host, bint twice) except -1:
    """Return whether each "xn--" label of a host decodes. twice: whether it may decode to one that begins with "xn--"
    again, which UTS 46 refuses."""
    cdef list labels
    if "xn--" not in host or domain_to_ascii(host.encode()):
        return True
    if not twice or "xn--xn--" not in host:
        return False
    labels = host.split(".")
    for k in range(len(labels)):
        if labels[k].startswith("xn--xn--"):
            shown = punycode_decoded(labels[k][4:])
            if shown.startswith("xn--"):  # "y" is what it is checked with instead of "x"
                labels[k] = "xn--" + ("y" + shown[1:]).encode("punycode").decode()
    return domain_to_ascii(".".join(labels).encode()) != b""


cdef tuple components(URL url, str text, int rules):
    """Return the components of a text, which the Standard reads as a URL, as a program's API gives them."""
    cdef bint nulls = rules & NULLS != 0
    cdef uint32_t n = len(url.href)
    cdef object name = part_at(url, username_span(&url.o)), password = part_at(url, password_span(&url.o))
    cdef object host = part_at(url, host_span(&url.o)), port = part_at(url, port_span(&url.o))
    cdef str path = part_at(url, path_span(&url.o, n))
    cdef object found
    cdef Text t
    if rules & KEEPS_CARET and "%5E" in path and not url.o.opaque_path:
        path = with_caret(path, text)
    if rules & RUST and part_of(url, 0, url.o.scheme_end) == "file":
        if is_drive(path[1:].partition("/")[0].encode()):
            host = None
        path = "/" + path.lstrip("/")  # parse_path: empty first segments are removed
    if rules & KEEPS_SPACE and url.o.opaque_path and path.endswith("%20"):
        t = text_of_url(text)
        if t.octets[t.path:t.path_end].endswith(b" "):
            path = path[:len(path) - 3] + " "
    if rules & ADA_2 and not url.o.opaque_path and ("/." in text or "%2" in text or (path == "/" and ".." in text)):
        found = ada_2_path(text_of_url(text))
        path = path if found is None else found
    if rules & DEFAULT_PORT and port is None:
        port = DEFAULT_PORTS.get(<int>url.o.kind)
    return (
        part_of(url, 0, url.o.scheme_end), f"{name or ''}:{password}" if password else name or None,
        host or (None if nulls else ""), port, (path or None) if rules & NULL_PATH else path,
        delimited(url, url.o.query_start, end_of_query(&url.o, n), nulls),
        delimited(url, url.o.fragment_start, n, nulls),
    )


cdef object delimited(URL url, uint32_t start, uint32_t end, bint nulls):
    """Return a query or fragment, whose delimiter is at `start`."""
    if start == ABSENT or (not nulls and end - start == 1):
        return None if nulls else ""
    return part_of(url, start + nulls, end)


cdef str with_caret(str path, str text):
    """Return a path with "^" where the text has it; where the text has "%5E", that stays."""
    cdef Text t
    cdef str marked
    if "%5E" not in text:
        return path.replace("%5E", "^")
    # each "^" of the text becomes "%5E%5E", and those pairs become "^": so "%5E" that is left was in the text
    t = text_of_url(text)
    marked = t.with_part(t.path, t.path_end, t.octets[t.path:t.path_end].replace(b"^", b"%5E^"))
    return path if marked is None else path_of(marked).replace("%5E%5E", "^")


cdef str path_of(str text):
    """Return the path of a text that the Standard's parser takes."""
    cdef Failure failure
    cdef URL url = parsed(text, &failure)
    return part_at(url, path_span(&url.o, len(url.href)))


# --- ada, and ada 2 in Node.js 20 ----------------------------------------------------------------

cdef str ada_2_plain_path(Text t):
    """url_aggregator::consume_prepared_path: return a path that is taken as it is, because it has nothing to escape,
    and its first "/." begins no dot segment; None for any other."""
    cdef bytes path = t.octets[t.path:t.path_end]
    cdef Py_ssize_t k
    if path[:1] == b"/" or (t.special and path[:1] == b"\\"):  # path start state
        path = path[1:]
    k = path.find(b"/.")
    if k < 0 or path.startswith(b".") or path[k + 2:k + 3] in (b"", b".", b"/") \
            or (t.scheme == b"file" and is_drive(path.partition(b"/")[0])) \
            or len(path.translate(None, ADA_2_ESCAPED)) < len(path):
        return None
    return "/" + path.decode()


cdef str ada_2_text(str text):
    """shorten_path: return the text of a file URL without the dot segments, if a ".." does not remove a first segment
    because that begins with a drive letter; any other text as it is."""
    cdef Text t
    cdef list kept = [], parts
    cdef bytes first
    cdef Py_ssize_t k
    cdef int dots
    cdef bint stays = False
    if (".." not in text and "%2" not in text) or ":" not in text.partition(":")[2]:
        return text
    t = text_of_url(text)
    if t.scheme != b"file" or ada_2_plain_path(t) is not None:
        return text
    parts = segments(t)
    for k in range(len(parts)):
        dots = dots_in(parts[k])
        if dots == 2 and kept:
            first = kept[0]
            if len(kept) == 1 and (is_drive(first) or (is_drive(first[:2]) and first[1] == c':')):
                stays = True
            else:
                kept.pop()
        if not dots:
            kept.append(parts[k])
        elif k == len(parts) - 1:
            kept.append(b"")
    return t.with_part(t.path, t.path_end, b"/" + b"/".join(kept)) if stays else text


cdef object ada_2_path(Text t):
    """url_aggregator::consume_prepared_path: return the path if it is not as the Standard says; else None."""
    cdef object plain = ada_2_plain_path(t)
    cdef list parts
    cdef Py_ssize_t depth = 0
    cdef int dots
    if plain is not None:
        return plain
    # a final ".." with nothing to remove adds "/" only in a special URL
    parts = segments(t)
    if t.special or dots_in(parts[len(parts) - 1]) != 2:
        return None
    for name in parts[:len(parts) - 1]:
        dots = dots_in(name)
        if dots == 2:
            depth -= depth > 0
        elif not dots:
            depth += 1
    return None if depth else ""


cdef str ada_text(str text, int rules):
    """Return the text with its host in ASCII; None if a label of it is refused."""
    cdef Text t = text_of_url(text)
    cdef bytes host
    cdef str domain, label
    cdef list labels
    if not t.special or b"[" in t.octets[t.host:t.host_end]:
        return None
    if rules & ADA_2:
        domain = ada_host(t.octets[t.host:t.host_end].decode())
        return None if domain is None else t.with_part(t.host, t.host_end, domain.encode())
    host = decoded(t.octets[t.host:t.host_end])
    for dot in ("\u3002", "\uff0e", "\uff61"):
        host = host.replace(dot.encode(), b".")
    labels = host.split(b".")
    for k in range(len(labels)):
        if labels[k]:
            label = labels[k].decode("utf-8", "replace")
            if is_newer(label, KNOWN):
                label = None if is_newer(label, rules // UNICODE) else ada_label(label, rules // UNICODE)
                if label is None:
                    return None
                labels[k] = label.encode()  # empty, if UTS 46 ignores all of it
            else:
                labels[k] = domain_to_ascii(labels[k])
                if not labels[k]:
                    label = coded_after_delimiter(label)
                    if label is None or not domain_to_ascii(f"xn--{label}".encode()):
                        return None
                    labels[k] = f"xn---{label}".encode()
    return t.with_part(t.host, t.host_end, b".".join(labels))


# --- npm's whatwg-url ----------------------------------------------------------------------------

cdef str whatwg_url_text(str text):
    """"parse authority": return a text with the user information that is read from it: of each part before "@", as many
    UTF-16 units as it has characters."""
    cdef Text t
    cdef list parts
    cdef list read
    cdef bytes units
    if text.isascii() or "@" not in text or max(text) < "\U00010000":
        return text
    t = text_of_url(text)
    parts = t.octets[t.authority:max(t.authority, t.host - 1)].decode().split("@")
    for k in range(len(parts)):
        units = parts[k].encode("utf-16-le")
        read = []
        for at in range(len(parts[k])):
            # codePointAt
            char = units[2 * at:2 * at + 4].decode("utf-16-le", "replace")[:1]
            read.append(char if char > "\uffff" else units[2 * at:2 * at + 2].decode("utf-16-le", "replace"))
        parts[k] = "".join(read)
    return t.with_part(t.authority, max(t.authority, t.host - 1), "@".join(parts).encode())


# --- Rust's crate url ----------------------------------------------------------------------------

cdef str rust_text(str text):
    """Return a text that the Standard reads as Rust's crate reads the given one.

    parse_port: "\\" ends a port in any scheme. parse_path: ".." does not remove a segment like "c:" or "c|".
    """
    cdef Text t
    cdef Py_ssize_t k
    cdef bytes rest
    if "@" in text:
        t = text_of_url(text)
        if t.scheme is not None and not t.special and t.octets[t.authority - 2:t.authority] == b"//":
            # parse_userinfo: the host may be empty after ":@", and after a "@" that ends the text
            rest = t.octets[t.authority:]
            if rest == b"@" or (rest[:2] == b":@" and rest[2:3] in (b"", b"/", b"?", b"#")):
                return rust_text(t.with_part(t.authority, t.authority + (1 if rest == b"@" else 2), b""))
    if "\\" not in text and "|" not in text and ".." not in text and "%2" not in text:
        return text
    t = text_of_url(text)
    if t.scheme is None or t.opaque:
        return text
    if not t.special and t.host_end < t.path:
        k = t.octets.find(b"\\", t.host_end, t.path)
        if k > 0 and not t.octets[t.host_end + 1:k].strip(b"0123456789"):
            return t.with_part(k, k, b"/")
    if t.path == t.path_end:
        return text
    rest = rust_path(t)
    if t.octets[t.path - 1] == c':' and rest.startswith(b"//"):  # no authority is before the path
        rest = b"/." + rest
    return t.with_part(t.path, t.path_end, rest)


cdef bytes rust_path(Text t):
    """parse_path: return a path without its dot segments; that of a file URL with its empty first segments. ".." does
    not remove a segment like "c:" or "c|". In a file URL, the first segment is a drive letter if it is like that; an
    empty one comes before it if "//" and no host do."""
    cdef bytearray out = bytearray(b"/")
    cdef list parts = segments(t)
    cdef bytes part
    cdef Py_ssize_t k
    cdef int dots
    cdef bint file = t.scheme == b"file"
    if file and t.authority == t.path and t.octets[t.path - 1] != c':' and t.octets[t.path] in b"/\\":
        parts.insert(0, b"")
    for k in range(len(parts)):
        part = parts[k]
        dots = dots_in(part)
        if dots == 2 and len(out) > 1 and not is_drive(bytes(out[out.rfind(b"/", 0, len(out) - 1) + 1:len(out) - 1])):
            del out[out.rfind(b"/", 0, len(out) - 1) + 1:]
        if not dots:
            if file and len(out) == 1 and is_drive(part):
                part = part[:1] + b":"
            out += part
            if k < len(parts) - 1:
                out += b"/"
    return bytes(out)


cdef bint is_drive(bytes name) except -1:
    """starts_with_windows_drive_letter: return whether a name is a letter and ":" or "|"."""
    return len(name) == 2 and name[:1] in LETTERS and name[1:] in (b":", b"|")


# --- the programs --------------------------------------------------------------------------------

def ada(str text, int release):
    return standard(text, 170 * UNICODE | ADA)


def node(str text, int release):
    return standard(text, 150 * UNICODE | DECODES_ACE | KEEPS_CARET | KEEPS_SPACE | ADA | ADA_2)


def whatwg_url(str text, int release):
    return standard(whatwg_url_text(text), 170 * UNICODE | DECODES_ACE)


def url_py(str text, int release):
    return standard(text, 160 * UNICODE | DECODES_ACE | KEEPS_CARET | KEEPS_SPACE | NULLS | RUST)


def pydantic(str text, int release):
    return standard(text, 151 * UNICODE | RUST | DECODES_ACE | KEEPS_CARET | KEEPS_SPACE | NULLS | NULL_PATH
                    | DEFAULT_PORT)


PROGRAMS = (
    Program("ada", "ada_url.URL", ("4.0.0",), ada),
    Program("node", "Node.js, new URL", ("20.20.2",), node),
    Program("whatwg-url", "npm's whatwg-url, new URL", ("16.0.1",), whatwg_url),
    Program("url-py", "PyPI's url-py, url.URL.parse, of Rust's crate url", ("2026.5.1",), url_py),
    Program("pydantic", "pydantic_core.Url", ("2.50.5",), pydantic),
)
