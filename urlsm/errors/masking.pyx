"""Finds secrets in text, and masks them. secrets.py defines what is secret.

All code that shows a URL or a part of one calls this module. The dialects find passwords in different positions, and
any dialect may be right, so every password that any of them finds is masked.
"""
import re
from bisect import bisect_left, bisect_right
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memchr
from urlsm.errors.harmless cimport NEIGHBOUR, is_harmless, is_secret, kind_of, name_before
from urlsm.machine.dialects cimport DIALECT_COUNT, Dialect, WHATWG
from urlsm.machine.driver cimport BY_MACHINE, LENIENT, TO_AUTHORITY, dialect_at
from urlsm.machine.machine cimport ABSENT, HOST, PASSWORD, PORT, Span
from urlsm.machine.reading cimport Reading, is_unclean, read
from urlsm.octets.buffer cimport ascii_data, is_ascii
from urlsm.octets.chars cimport CLASS, HEX
from urlsm.octets.text cimport Octets, exact, hex_value, octets_of, place, without

SHOWN = "***"
cdef object SLASHES = re.compile(r"(?:[^:/\\?#@]*:)?[/\\]{2,}|")  # "scheme://"
cdef frozenset NO_NAMES = frozenset()
cdef enum:
    NEAR = 2048  # spans_near searches for secrets within this many characters before and after the span that is shown


cdef bint harmless(str text, bint any_name, bint whole=True) except -1:
    cdef Octets octets
    if is_ascii(text):
        return is_harmless(ascii_data(text), len(text), any_name, whole)
    octets = octets_of(text, True)
    return not octets.too_long and is_harmless(octets.p, octets.n, any_name, whole)


cdef inline bint is_split(str text) except -1:
    """Return whether the text has characters that the URL Standard's parser removes. Such a character may occur within
    a name."""
    return "\t" in text or "\n" in text or "\r" in text


cdef object seen_by(str text, int dialect):
    """Return (start, end, end of the server) in characters: the span where a dialect finds a password, and the end of
    the host and port after it. Return None if the dialect finds no password."""
    cdef Reading r
    cdef Octets octets = octets_of(text, True)
    cdef const Dialect* rules = dialect_at(dialect)
    cdef const uint8_t* p = octets.p
    cdef uint32_t n = octets.n, begin, last
    cdef bytes clean
    cdef bint trimmed = rules.trim_end != 0
    cdef Span password, host, port
    cdef Py_ssize_t removed_from = -1, start, end, server
    if is_unclean(p, n, rules, &begin, &last):
        removed_from = begin
        clean = without(p, begin, last, rules.remove)
        p, n = clean, <uint32_t>len(clean)
    if not read(&r, p, n, rules, TO_AUTHORITY | LENIENT | BY_MACHINE):
        return None
    password, host, port = r.m.spans[PASSWORD], r.m.spans[HOST], r.m.spans[PORT]
    if password.start == ABSENT or password.start == password.end:
        return None
    start = place(octets.p, octets.n, password.start, removed_from, trimmed)
    end = place(octets.p, octets.n, password.end - 1, removed_from, trimmed) + 1
    server = password.end
    if host.start != ABSENT and host.end > server:
        server = host.end
    if port.start != ABSENT and port.end > server:
        server = port.end
    return start, end, place(octets.p, octets.n, server - 1, removed_from, trimmed) + 1


cdef list passwords_in(str text):
    """Return the spans in which the dialects find a password. If the URL Standard finds a password and a server after
    it, the server is not masked, even if another dialect reads it as part of the password."""
    cdef int dialect
    cdef list found = []
    cdef object standard = seen_by(text, WHATWG), seen
    cdef Py_ssize_t start, end
    if standard is not None:
        found.append((standard[0], standard[1]))
    for dialect in range(DIALECT_COUNT):
        seen = seen_by(text, dialect) if dialect != WHATWG else None
        if seen is None:
            continue
        start, end = seen[0], seen[1]
        if standard is not None and start < standard[2] and end > standard[1]:
            if start < standard[1]:
                found.append((start, standard[1]))
            start = standard[2]
            while start < end and text[start] in "\\/?#@:\t\n\r":
                start += 1
        if start < end:
            found.append((start, end))
    return found


# --- what secrets.py defines ---------------------------------------------------------------------

cdef object AUTHORITY = re.compile(r"[/\\](?<![^\s:\"'(<>,][/\\])[/\\]+[^\s/?#\\]*")
cdef object HEAD = re.compile(r"(?:^|[\s\"'(<>,])(?:[A-Za-z][A-Za-z0-9+.\-_]*:)?\Z")
cdef object REMOVED = re.compile(r"[\t\n\r]")  # the URL Standard's parser removes these characters


cdef inline bint is_decoded(Py_UCS4 high, Py_UCS4 low) noexcept:
    """Return whether an escape with these digits is decoded. It is decoded if it stands for an ASCII character from "!"
    on, other than the quotation marks, "<" and ">", at which a URL ends."""
    if high < c'2' or high > c'7' or low > 0x7F or not CLASS[<uint8_t>low] & HEX:
        return False
    return not (high == c'2' and low in "027") and not (high == c'3' and low in "CcEe")


cdef tuple decoded(str text):
    """Return text with its escapes decoded once, and their positions in the result. Escapes in the authority of a URL
    are kept, because no parser reads them as delimiters."""
    cdef list pieces = [], places = []
    cdef Py_ssize_t end = 0, length = 0, kept = 0, start = text.find("%"), first
    cdef object authorities, authority
    if start < 0:
        return text, places
    authorities = AUTHORITY.finditer(text)
    authority = next(authorities, None)
    while 0 <= start < len(text) - 2:
        if not is_decoded(text[start + 1], text[start + 2]):
            start = text.find("%", start + 1)
            continue
        while authority is not None and (first := authority.start()) < start:
            if HEAD.search(text[max(0, first - 40):first]):
                kept = authority.end()
            authority = next(authorities, None)
        if start >= kept:
            pieces.append(text[end:start])
            pieces.append(chr(hex_value(<uint8_t>text[start + 1]) << 4 | hex_value(<uint8_t>text[start + 2])))
            length += start - end + 1
            places.append(length - 1)
            end = start + 3
        start = text.find("%", start + 3)
    pieces.append(text[end:])
    return "".join(pieces), places


def is_token(username):
    """Return whether a user name has the shape of an access token."""
    from urlsm.errors.secrets import TOKEN
    return TOKEN.fullmatch(decoded(exact(username))[0]) is not None


cdef list places_of_names(str text, bint every):
    """Return spans in which names of parameters that may be secret begin. Each span ends with the only "=" in it.
    every: whether any name may be secret."""
    cdef list found = []
    cdef const uint8_t* p
    cdef const uint8_t* name
    cdef const uint8_t* equals
    cdef const uint8_t* start
    cdef Py_ssize_t first = 0, end
    if every or not is_ascii(text):
        end = text.find("=") + 1
        while end:
            found.append((first, end))
            first = end
            end = text.find("=", first) + 1
        return found
    p = start = ascii_data(text)
    while True:
        equals = <const uint8_t*>memchr(start, c'=', p + len(text) - start)
        if equals == NULL:
            return found
        name = name_before(start, equals)
        if is_secret(kind_of(name, equals) | NEIGHBOUR):
            found.append((name - p, equals - p + 1))
        start = equals + 1


cdef list stated_in_view(str text, names, bint whole):
    cdef list found = [], places
    if "@" in text:
        from urlsm.errors.secrets import tokens_of_lists, users
        for user in users(text, whole):
            if is_token(user["user"]):
                found.append(user.span("user"))
            if user["password"]:
                found.append(user.span("password"))
        found += tokens_of_lists(text)
    places = places_of_names(text, len(names) > 0)
    if places:
        from urlsm.errors.secrets import parameters
        found += parameters(text, names, whole, places)
    return found


cdef list stated(str text, names, bint whole):
    """Return the spans (start, end) of secrets in a text that can be found without a parser. They come in any order and
    may overlap. The arguments are those of secret_spans."""
    cdef list found, places, ways = [], removed
    cdef Py_ssize_t start, end
    cdef int _time
    if whole and REMOVED.search(text):
        removed = [one.start() for one in REMOVED.finditer(text)]
        places = [removed[k] - k for k in range(len(removed))]
        return [
            (start + bisect_right(places, start), end + bisect_right(places, end - 1))
            for start, end in stated(REMOVED.sub("", text), names, True)
        ]
    found = stated_in_view(text, names, whole)
    for _time in range(3):
        text, places = decoded(text)
        if not places:
            break
        ways.insert(0, places)  # to map spans back to the text
        for start, end in stated_in_view(text, names, whole):
            for places in ways:
                start, end = start + 2 * bisect_left(places, start), end + 2 * bisect_left(places, end)
            found.append((start, end))
    return found


def secret_spans(text, names=NO_NAMES, *, whole=True, refused=False):
    """Return the positions of the secrets in a text: a sorted list of spans (start, end) that do not touch. This takes
    linear time.

    names: further names of secret parameters, in lower case; an Only (secrets.py) replaces the names of the table
    (secret_names.py). whole: whether the text is one URL, or a part of one; otherwise it is prose that contains URLs.
    refused: whether the text failed to parse, or its scheme may have a password where no dialect finds it. If so,
    everything that looks like a password is masked: all characters from the first ":" that may end a user name to the
    last "@".
    """
    cdef Py_ssize_t start, end
    text = exact(text)
    if harmless(text, len(names) > 0) and not (refused and "@" in text) \
            and not (whole and is_split(text)):
        return []
    found = stated(text, names, whole)
    if "@" in text:
        if whole:
            found += passwords_in(text)
        if refused:
            start, end = text.find(":", SLASHES.match(text).end()), text.rfind("@")
            if 0 <= start < end:
                found.append((start + 1, end))
    return merged(found)


def spans_near(text, Py_ssize_t first, Py_ssize_t last):
    """Return the spans of secrets within text[first:last]. text: a refused text. This is fast even for megabytes of
    text: where only a search of the whole text could decide, the spans cover more than necessary."""
    cdef Py_ssize_t head, at, start, end
    cdef bint removed
    text = exact(text)
    removed = is_split(text)
    if not removed and "@" not in text and harmless(text, False):
        return []
    found = []
    # user information goes from its first possible beginning to the last "@", which may be escaped, even repeatedly
    head = SLASHES.match(text[:256]).end()
    at = max([text.rfind(sign, head) for sign in (("@", "%") if removed else ("@", "%40", "%25"))])
    if text.find(":", head, max(at, head)) >= 0 or text.find("%", head, max(at, head)) >= 0:
        found.append((head, at))
    # tokens are shorter than NEAR; the value of a parameter ends at a delimiter, unless it is in braces
    start = first_of(text, 0, max(0, first - NEAR), True) + 1
    end = min(len(text), last + NEAR)
    if first - start > 2 * NEAR:
        if removed or not harmless(text[start:first], False, False):
            found.append((start, first_of(text, first, len(text), False)))
        start = first - NEAR
    found += [(start + begin, start + stop) for begin, stop in stated(text[start:end], NO_NAMES, True)]
    return merged([(max(begin, first), min(stop, last)) for begin, stop in found if begin < last and first < stop])


cdef Py_ssize_t first_of(str text, Py_ssize_t start, Py_ssize_t end, bint backwards) except -2:
    """Return the index of the next delimiter of a parameter, or end if there is none. backwards: return the index of
    the previous delimiter, or -1."""
    if backwards:
        return max([text.rfind(delimiter, start, end) for delimiter in "&#"])
    return min([end if place < 0 else place for place in [text.find(delimiter, start, end) for delimiter in "&#"]])


def merged(list found not None):
    """Return the spans, sorted and merged so that they do not touch."""
    cdef Py_ssize_t start, end, first = 0, last = 0
    cdef list spans = []
    for start, end in sorted(found):
        if spans and start <= last:
            last = max(last, end)
            spans[len(spans) - 1] = first, last
        elif start < end:
            first, last = start, end
            spans.append((first, last))
    return spans


def cut(text, spans, start=0, end=None, shown=SHOWN):
    """Return text[start:end] with the secret spans in it replaced by "***", or by the argument shown. If a span crosses
    start or end, only the part within is replaced."""
    pieces = []
    end = len(text) if end is None else end
    for first, last in spans:
        if start < end and start < last and first < end:
            pieces += text[start:first] if first > start else "", shown
            start = min(last, end)
    pieces.append(text[start:end])
    return "".join(pieces)


def without_secrets(text, names=NO_NAMES, *, whole=True, refused=False):
    """Return text with each secret replaced by "***", or the text itself if it has no secrets. The arguments are the
    same as for secret_spans."""
    spans = secret_spans(text, names, whole=whole, refused=refused)
    shown = cut(text, spans) if spans else text
    return text if shown == text else shown


def masked_userinfo(userinfo, scheme=None):
    """Return user information with "***" in place of the password, and of a user name that is an access token. Return
    None for None."""
    from urlsm.errors.secret_names import TOKEN_USERS
    name, colon, _ = (userinfo or "").partition(":")
    if is_token(name) or (name and not colon and scheme in TOKEN_USERS):
        return SHOWN
    return f"{name}:{SHOWN}" if colon else userinfo


# matches an opaque path (the text after a scheme) with a password. A text with one of these schemes is a whole URL
cdef object OPAQUE = re.compile(
    r"(?!(?:mailto|xmpp|acct|im|news|mid|cid|urn|tag|data|javascript|view-source|jdbc|sips?|oracle):)"
    r"[^\s:@/?#\\\"'<>=&,;(){}\[\]|]*:([^\s/?#\\\"'<>&]*)@")


cdef bint may_be_secret(str name, names) except -1:
    return len(names) > 0 or not is_ascii(name) \
        or is_secret(kind_of(ascii_data(name), ascii_data(name) + len(name)))


cdef str masked_text(str text, names, str begin):
    """Return a part, or the end of one, with secrets masked. begin: what is assumed to come before a text that begins
    with a slash."""
    if text[:1] not in ("/", "\\"):
        begin = ""
    spans = spans_of_part(begin + text, names)
    return cut(begin + text, spans, len(begin)) if spans else text


cdef list spans_of_part(str text, names):
    """Return the spans of secrets in a part, which may be an opaque path without its scheme."""
    cdef list spans
    if "@" not in text and harmless(text, len(names) > 0) and not is_split(text):
        return []
    spans = stated(text, names, True)
    userinfo, at, _ = text.partition("@")
    user = userinfo.partition(":")[0]
    if at and is_token(user):
        spans.append((0, len(user)))
    opaque = OPAQUE.match(text)
    if opaque is not None:
        spans.append(opaque.span(1))
    return merged(spans)


# parts of tel and sms: numbers without separators
cdef frozenset NUMBERS = frozenset(("number", "numbers", "extension"))
# NUMBERS, and a part of mailto and sms; URLs of these schemes have no "//"
cdef frozenset LISTED = NUMBERS | {"recipients"}


def masked_part(str name not None, value, names=NO_NAMES, str begin not None=""):
    """Return a part with "***" in place of a secret, or in place of the secrets in a URL within it. A secret is
    recognised by its name, in upper or lower case: the name of a field, the first item of a pair, or the text before
    "=". names: as in secret_spans. begin: "x:" if a text that begins with a slash follows a scheme."""
    cdef list found
    if value is None:
        return None
    if name and may_be_secret(name, names):
        from urlsm.errors.secrets import is_secret_name
        if is_secret_name(name, names):
            return SHOWN
    if "%" in name and secret_spans(f"{name}=_", names):  # the name is that of a secret after one more decoding
        return SHOWN
    if isinstance(value, str):
        if name == "username":  # in xmpp, "user:password@" in the path may be read as the name
            return masked_text(masked_userinfo(exact(value)), names, "")
        # such a value is neither a number nor a mail address, so user information may precede its "@". An access token
        # there could not be recognised, because "-" has been removed from the value
        if "@" in value and (name in NUMBERS or (name == "recipients" and ":" in value[:value.rindex("@")])):
            return SHOWN + value[value.rindex("@"):]
        if name in ("query", "fragment") and ";" in value:  # after "?" or "#", a ";" is part of a value
            return masked_text("?" + exact(value), names, "")[1:]
        return masked_text(exact(value), names, begin)
    if isinstance(value, bytes):
        shown = value.decode("latin-1")
        masked = masked_text(shown, names, begin)
        return value if masked is shown else masked.encode("latin-1")
    # a pair of name and value, or an extension of ldap, which has a flag after the pair
    if isinstance(value, tuple) and name not in LISTED and isinstance(value[0] if value else None, str) \
            and (len(value) == 2 or (len(value) == 3 and isinstance(value[2], bool))):
        return masked_part("", value[0], names, begin), masked_part(value[0], value[1], names, begin), *value[2:]
    if isinstance(value, (tuple, list)):
        found = []
        names = names_beside(value, names)
        for item in value:
            found.append(masked_part(name if name in LISTED else "", item, names, begin))
        return found if isinstance(value, list) else tuple(found)
    return value


def names_beside(pairs, names=NO_NAMES):
    """Return `names`, together with the names that are secret because of another name in `pairs`: "code" is secret if
    "state" is present."""
    cdef set others = set()
    for pair in pairs:
        if type(pair) is tuple and len(<tuple>pair) == 2 and isinstance((<tuple>pair)[0], str):
            others.add((<tuple>pair)[0].lower())
    if not others:
        return names
    from urlsm.errors.secrets import beside
    return beside(names, others)


def masked_parts(fields, kind=None):
    """Return a list of the values of parts, with secrets masked. fields: pairs of name and value. kind: the class of
    the parts, which knows the declarations of its handler. Segments are masked as one path."""
    cdef dict given = dict(fields)
    cdef dict found = {}
    names, joined, in_userinfo = NO_NAMES, (), ()
    if kind is not None:
        names, joined, in_userinfo = kind._secrets, kind._joined, kind._in_userinfo
    cdef str begin = "x:" if given.get("host") is None else ""  # as in "file:///user:password@host"
    cdef str before
    cdef bint has_server = "host" in given  # parts of a scheme with hosts have a field of this name, even if it is None
    for row in joined:
        if row[0][0] == "//" and not given.get(row[0][1]):
            has_server = True
    for name, value in given.items():
        found[name] = masked_part(name, value, names, begin if name != "path" or has_server else "")
    path = given.get("path")
    before = "" if isinstance(path, str) and path[:1] != "/" else "/"
    if before and has_server and (isinstance(path, str) or "host" not in given):
        before = begin + before
    if given.get("segments"):
        found["segments"] = masked_pieces(before, "/", given["segments"], names)
    for name in in_userinfo:
        if isinstance(given.get(name), str):
            found[name] = masked_userinfo(given[name])
        elif isinstance(given.get(name), tuple):
            found[name] = tuple([(key, masked_userinfo(value)) for key, value in given[name]])
    for row in joined:
        mask_joined(row, given, found, begin, names, in_userinfo)
    if getattr(kind, "_user_is_token", False):
        if given.get("username") and given.get("password") is None:
            found["username"] = SHOWN
        found["servers"] = tuple([masked_server(text) for text in given.get("servers") or ()])
    return [*found.values()]


cdef str masked_server(str text):
    """Return the URL of one server from a list of nats servers, with secrets masked. It may have a scheme of its
    own."""
    scheme, colon, rest = text.partition(":")
    return scheme + without_secrets(f"nats:{rest}")[4:] if colon else without_secrets(text)


cdef int mask_joined(tuple row, dict given, dict found, str begin, names, in_userinfo) except -1:
    """Mask the fields of row, a template in `joined`, in their joined text. Store the fields that change in found."""
    cdef Py_ssize_t start = 0, k
    cdef str text = "", between, name
    cdef list places = [], spans, shown
    for between, name in row:
        value = given.get(name)
        if isinstance(value, str):
            value = (value,)
        if not isinstance(value, tuple) or not all([isinstance(piece, str) for piece in value]):
            continue
        if any(value) if between == "//" else text or between != "@":  # a server follows "//"; "@" follows a user
            text += between
        for k in range(len(<tuple>value)):
            text += "/" if k else ""
            places.append((name, len(text), len(text) + len(<str>value[k])))
            text += value[k]
    if len(places) < 2 and not row[0][0]:
        return 0
    if text[:1] == "/" and text[:2] != "//":
        start, text = len(begin), begin + text
    spans = spans_of_part(text, names)
    for _between, name in row:
        shown = [cut(text, spans, start + first, start + last) for owner, first, last in places if owner == name]
        if name in in_userinfo or not shown:
            continue
        if isinstance(given[name], str):
            if shown[0] != given[name]:
                found[name] = shown[0]
        else:  # pieces of a path, which are searched together, because an "@" in one of them does not end a user name
            found[name] = tuple(shown)
    return 0


cdef object masked_pieces(str begin, str between, pieces, names):
    """Return a tuple of the pieces with secrets masked. The joined pieces are searched as one text."""
    cdef list found = []
    cdef Py_ssize_t start = len(begin), end
    for piece in pieces:
        if not isinstance(piece, str):
            return masked_part("", pieces, names)
    text = begin + between.join(pieces)
    spans = spans_of_part(text, names)
    for piece in pieces:
        end = start + len(piece)
        found.append(cut(text, spans, start, end))
        start = end + len(between)
    return tuple(found)
