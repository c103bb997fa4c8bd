"""Passwords in texts: where they stand, and what is shown in their place.

Every place that shows a URL or a part of one asks here: repr, errors, traces, comparisons, the tables of the command
line. The dialects do not agree on where a password is, and any of them may be right: what one of them sees is masked.
"""
import re
from urlsm.machine.dialects cimport DIALECT_COUNT
from urlsm.machine.driver cimport dialect_at, prepare, run
from urlsm.machine.machine cimport ABSENT, Machine, PASSWORD
from urlsm.octets.text cimport Octets, contains, exact, octets_of, place, without

cdef str SHOWN = "***"
cdef str WITHIN = r"(?<![^:])//[^\s/?#\\:@]*:([^\s/?#\\]*)@"  # the password of a URL within the text
cdef str PARAMETER = r"[\w.-]*password"  # of a query or a connection string; tlsCertificateKeyFilePassword is one too
cdef object SLASHES = re.compile(r"(?:[^:/\\?#@]*:)?[/\\]{2,}|")  # "scheme://"
cdef frozenset PASSWORDS = frozenset(["password"])


cdef object seen_by(str text, int dialect):
    """Where a dialect sees a password, in characters: (start, end), or None."""
    cdef Machine m
    cdef Octets octets = octets_of(text, True)
    cdef bytes clean
    cdef Py_ssize_t removed_from = -1, start, end
    prepare(&m, octets.p, octets.n, dialect_at(dialect))
    if m.dialect.remove and contains(octets.p, m.text.start, m.text.end, m.dialect.remove):
        removed_from = m.text.start
        clean = without(octets.p, m.text.start, m.text.end, m.dialect.remove)
        prepare(&m, clean, len(clean), dialect_at(dialect))
    m.lenient = m.dialect.url_standard
    m.authority_only = True
    if not run(&m) or m.spans[PASSWORD].start == ABSENT or m.spans[PASSWORD].start == m.spans[PASSWORD].end:
        return None
    start = place(octets.p, octets.n, m.spans[PASSWORD].start, removed_from, m.dialect.trim_end != 0)
    end = place(octets.p, octets.n, m.spans[PASSWORD].end - 1, removed_from, m.dialect.trim_end != 0) + 1
    return start, end


def password_spans(text, refused=False, secrets=frozenset()):
    """Where passwords stand in a text: a list of (start, end), in order, which do not touch.

    refused: the text was refused, or its scheme hides a password where no dialect sees it: what only looks like one
    counts, from the first ":" that may end a user name to the last "@", whatever stands between. secrets: names of
    parameters, in any case, whose values count, too.
    """
    cdef int dialect
    text = exact(text)
    names = "|".join([PARAMETER, *map(re.escape, sorted(secrets))])
    found = []
    for match in re.finditer(rf"{WITHIN}|(?i:(?<![^?&;:])(?:{names})=)([^&;#\s]*)", text):
        found.append(match.span(match.lastindex or 0))
    for dialect in range(DIALECT_COUNT):
        span = seen_by(text, dialect)
        if span is not None:
            found.append(span)
    if refused:
        start, end = text.find(":", SLASHES.match(text).end()), text.rfind("@")
        if 0 <= start < end:
            found.append((start + 1, end))
    merged = []
    first = last = 0
    for start, end in sorted(found):
        if merged and start <= last:
            last = max(last, end)
            merged[len(merged) - 1] = first, last
        elif start < end:
            first, last = start, end
            merged.append((first, last))
    return merged


def cut(text, spans, start=0, end=None):
    """text[start:end] with "***" for each of the spans of password_spans, or for what of it lies in there."""
    pieces = []
    end = len(text) if end is None else end
    for first, last in spans:
        if start < end and start < last and first < end:
            pieces += text[start:first] if first > start else "", SHOWN
            start = min(last, end)
    pieces.append(text[start:end])
    return "".join(pieces)


def without_passwords(text, refused=False, secrets=frozenset()):
    """text with "***" for each password. Arguments as password_spans."""
    return cut(text, password_spans(text, refused, secrets))


def masked_userinfo(userinfo):
    """The user name of a userinfo, and "***" for the password; None of None."""
    name, colon, _ = (userinfo or "").partition(":")
    return f"{name}:{SHOWN}" if colon else userinfo


def masked_part(str name, value, secrets=PASSWORDS):
    """A part as others may see it: "***" for a secret, and for the password of a URL within. A secret is told by its
    name, in any case: of a field, the first of a pair, or before a "=" in text. secrets: in lower case."""
    if value is None:
        return None
    if name.lower() in secrets:
        return SHOWN
    if isinstance(value, str):
        text = value.lower()
        if "//" in text or any([f"{secret}=" in text for secret in secrets]):
            return without_passwords(value, secrets=secrets)
    elif isinstance(value, tuple):
        if len(value) == 2 and isinstance(value[0], str):
            return masked_part("", value[0], secrets), masked_part(value[0], value[1], secrets)
        found = []
        for item in value:
            found.append(masked_part("", item, secrets))
        return tuple(found)
    return value
