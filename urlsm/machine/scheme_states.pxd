"""The steps from the scheme to the authority or the path; they decide what the reference inherits.

URL Standard, from #scheme-start-state to #special-authority-ignore-slashes-state; Barth 3.1 and 3.2.
"""
from libc.stdint cimport uint32_t
from libc.string cimport memcmp
from urlsm.machine.codes cimport (
    FILE_INVALID_WINDOWS_DRIVE_LETTER, INVALID_REVERSE_SOLIDUS, MISSING_SCHEME_NON_RELATIVE_URL,
    SPECIAL_SCHEME_MISSING_FOLLOWING_SOLIDUS,
)
from urlsm.machine.cursor cimport at
from urlsm.machine.log cimport (
    AFTER_SCHEME, AUTHORITY_STATE, DONE, FAILED, FILE_STATE, FRAGMENT_STATE, NO_OVERRIDE, NO_SCHEME_STATE,
    OPAQUE_PATH_STATE, PATH_OR_AUTHORITY_STATE, PATH_STATE, QUERY_STATE, RELATIVE_SLASH_STATE, RELATIVE_STATE,
    SCHEME_STATE, SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE, SPECIAL_AUTHORITY_SLASHES_STATE,
    SPECIAL_RELATIVE_OR_AUTHORITY_STATE, Step,
)
from urlsm.machine.machine cimport (
    ABSENT, INHERIT_AUTHORITY, INHERIT_DIRECTORY, INHERIT_PATH, INHERIT_QUERY, INHERIT_SCHEME, Machine, PATH, SCHEME,
    Span,
)
from urlsm.machine.notes cimport refuse, set_kind, span, took, violation
from urlsm.machine.special cimport FILE, HTTP, HTTPS, is_listed, is_windows_drive_letter, kind_among
from urlsm.octets.chars cimport ALPHA, BACKSLASH, CLASS, COLON, END, HASH, QUESTION, SLASH, UPPER


cdef inline Step scheme_start_state(Machine* m) noexcept nogil:
    # "If c is an ASCII alpha, [...] set state to scheme state."
    if at(&m.text, m.i) & m.dialect.scheme_first or not m.dialect.scheme_first:
        return SCHEME_STATE
    # "Otherwise, if state override is not given, set state to no scheme state"
    return NO_SCHEME_STATE


cdef inline Step scheme_state(Machine* m) noexcept nogil:
    cdef uint32_t start = m.i, i = start, upper = 0, c, stop = m.dialect.scheme_stop | COLON | END
    # nearly every link begins with this
    if m.text.end - start >= 8 and m.dialect.url_standard and m.base == NULL and m.override == NO_OVERRIDE \
            and memcmp(m.text.p + start, b"https://", 8) == 0:
        span(m, SCHEME, start, start + 5)
        took(m, SCHEME_STATE, start, start + 6)
        took(m, SPECIAL_AUTHORITY_SLASHES_STATE, start + 6, start + 8)
        m.i = start + 8
        set_kind(m, HTTPS)
        return SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE
    while True:
        c = at(&m.text, i)
        if c & stop or (m.dialect.scheme_char and not c & m.dialect.scheme_char):
            break
        upper |= c
        i += 1
    # "Otherwise, if state override is not given, [...] start over"; a scheme has at least one octet
    if not c & COLON or (i == start and not m.dialect.scheme_required):
        return NO_SCHEME_STATE
    if m.dialect.one_letter_is_drive and i == start + 1 and CLASS[m.text.p[start]] & ALPHA:
        return PATH_STATE
    # "Set url's scheme to buffer." (lowercased)
    span(m, SCHEME, start, i)
    took(m, SCHEME_STATE, start, i + 1)
    m.scheme_upper = upper & UPPER != 0
    m.i = i + 1
    if m.dialect.file_states:
        set_kind(m, kind_among(m.dialect.registered, m.text.p + start, i - start))
    if m.override != NO_OVERRIDE:
        return DONE
    if m.kind == FILE:
        # "If remaining does not start with "//", special-scheme-missing-following-solidus"
        if not (at(&m.text, m.i) & SLASH and at(&m.text, m.i + 1) & SLASH):
            violation(m, SCHEME_STATE, SPECIAL_SCHEME_MISSING_FOLLOWING_SOLIDUS, m.i)
        return FILE_STATE
    if not m.dialect.url_standard:
        return AFTER_SCHEME
    # "Otherwise, if url is special, base is non-null, and base's scheme is url's scheme"
    if m.special and m.base != NULL and m.base.kind == m.kind and m.base.scheme_length == i - start:
        return SPECIAL_RELATIVE_OR_AUTHORITY_STATE
    # "Otherwise, if url is special"
    if m.special:
        return SPECIAL_AUTHORITY_SLASHES_STATE
    # "Otherwise, if remaining starts with an U+002F (/)"
    if at(&m.text, m.i) & SLASH:
        return PATH_OR_AUTHORITY_STATE
    # "Otherwise, set url's path to the empty string and set state to opaque path state."
    m.opaque_path = True
    return OPAQUE_PATH_STATE


cdef inline Step no_scheme_state(Machine* m) noexcept nogil:
    took(m, NO_SCHEME_STATE, m.i, m.i)
    if not m.dialect.url_standard:
        # "If the remaining string does not contain a ":" character: The URL is invalid." (Barth 3.1)
        if m.dialect.scheme_required and refuse(m, NO_SCHEME_STATE, MISSING_SCHEME_NON_RELATIVE_URL, m.i):
            return FAILED
        return AFTER_SCHEME
    # "If base is null, or base has an opaque path and c is not U+0023 (#), [...] return failure."
    if m.base == NULL or (m.base.opaque and not at(&m.text, m.i) & HASH):
        if refuse(m, NO_SCHEME_STATE, MISSING_SCHEME_NON_RELATIVE_URL, m.i):
            return FAILED
    set_kind(m, HTTP if m.base == NULL else m.base.kind)  # split: a reference is read as with a special base
    # "Otherwise, if base has an opaque path and c is U+0023 (#), set [all but the fragment to base's]"
    if m.base != NULL and m.base.opaque:
        m.opaque_path = True
        m.inherit = INHERIT_QUERY
        return FRAGMENT_STATE
    # "Otherwise, if base's scheme is not "file", set state to relative state"
    return FILE_STATE if m.kind == FILE else RELATIVE_STATE


cdef inline Step after_scheme(Machine* m) noexcept nogil:
    """As the draft and the RFCs do: slash characters introduce an authority."""
    cdef uint32_t start = m.i, i = start
    cdef Span* scheme = &m.spans[SCHEME]
    if scheme.start != ABSENT:
        # "[not hierarchical:] The remaining string is the path."
        if is_listed(m.dialect.opaque, m.text.p + scheme.start, scheme.end - scheme.start):
            m.opaque_path = True
            m.path_stop = m.dialect.opaque_stop | END
            return PATH_STATE
        if m.dialect.with_query[0] \
                and not is_listed(m.dialect.with_query, m.text.p + scheme.start, scheme.end - scheme.start):
            m.path_stop &= ~<uint32_t>QUESTION
            m.authority_stop &= ~<uint32_t>QUESTION  # a user name may hold it
    if m.dialect.slashes < 0:
        # "Consume any number of slash characters."
        while at(&m.text, i) & m.dialect.slash:
            i += 1
    elif at(&m.text, i) & m.dialect.slash and at(&m.text, i + 1) & m.dialect.slash:
        # (//([^/?#]*))?
        i += 2
    else:
        return PATH_STATE
    took(m, AFTER_SCHEME, start, i)
    m.i = i
    return AUTHORITY_STATE


cdef inline Step special_relative_or_authority_state(Machine* m) noexcept nogil:
    # "If c is U+002F (/) and remaining starts with U+002F (/)"
    if at(&m.text, m.i) & SLASH and at(&m.text, m.i + 1) & SLASH:
        took(m, SPECIAL_RELATIVE_OR_AUTHORITY_STATE, m.i, m.i + 2)
        m.i += 2
        return SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE
    # "Otherwise, special-scheme-missing-following-solidus validation error, [...] relative state"
    took(m, SPECIAL_RELATIVE_OR_AUTHORITY_STATE, m.i, m.i)
    violation(m, SPECIAL_RELATIVE_OR_AUTHORITY_STATE, SPECIAL_SCHEME_MISSING_FOLLOWING_SOLIDUS, m.i)
    return RELATIVE_STATE


cdef inline Step path_or_authority_state(Machine* m) noexcept nogil:
    # "If c is U+002F (/), then set state to authority state."
    if at(&m.text, m.i + 1) & SLASH:
        took(m, PATH_OR_AUTHORITY_STATE, m.i, m.i + 2)
        m.i += 2
        return AUTHORITY_STATE
    # "Otherwise, set state to path state, and decrease pointer by 1."
    return PATH_STATE


cdef inline Step inherit(Machine* m, Step step, uint32_t c) noexcept nogil:
    """The common end of the relative and the file state: the components before m.i come from the base."""
    took(m, step, m.i, m.i)
    if c & (QUESTION | HASH | END):
        span(m, PATH, m.i, m.i)  # for split
    if c & QUESTION:
        m.inherit = INHERIT_PATH
        return QUERY_STATE
    if c & HASH:
        m.inherit = INHERIT_QUERY
        return FRAGMENT_STATE
    if c & END:
        m.inherit = INHERIT_QUERY
        return DONE
    # "Set url's query to null. [...] shorten url's path."
    m.inherit = INHERIT_DIRECTORY
    # "Otherwise [it starts with a Windows drive letter]: Set url's path to « »." (file state)
    if step == FILE_STATE and starts_with_drive_letter(m, m.i):
        violation(m, FILE_STATE, FILE_INVALID_WINDOWS_DRIVE_LETTER, m.i)
        m.inherit = INHERIT_AUTHORITY
    return PATH_STATE


cdef inline Step relative_state(Machine* m) noexcept nogil:
    cdef uint32_t c = at(&m.text, m.i)
    # "If c is U+002F (/), then set state to relative slash state."
    if c & SLASH:
        return RELATIVE_SLASH_STATE
    # "Otherwise, if url is special and c is U+005C (\), invalid-reverse-solidus validation error"
    if m.special and c & BACKSLASH:
        violation(m, RELATIVE_STATE, INVALID_REVERSE_SOLIDUS, m.i)
        return RELATIVE_SLASH_STATE
    return inherit(m, RELATIVE_STATE, c)


cdef inline Step relative_slash_state(Machine* m) noexcept nogil:
    cdef uint32_t c = at(&m.text, m.i + 1)
    m.inherit = INHERIT_SCHEME
    # "If url is special and c is U+002F (/) or U+005C (\)"
    if m.special and c & (SLASH | BACKSLASH):
        took(m, RELATIVE_SLASH_STATE, m.i, m.i + 2)
        if c & BACKSLASH:
            violation(m, RELATIVE_SLASH_STATE, INVALID_REVERSE_SOLIDUS, m.i + 1)
        m.i += 2
        return SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE
    # "Otherwise, if c is U+002F (/), then set state to authority state."
    if c & SLASH:
        took(m, RELATIVE_SLASH_STATE, m.i, m.i + 2)
        m.i += 2
        return AUTHORITY_STATE
    # "Otherwise, set url's username [...] port to base's port, state to path state"
    took(m, RELATIVE_SLASH_STATE, m.i, m.i)
    m.inherit = INHERIT_AUTHORITY
    return PATH_STATE


cdef inline Step special_authority_slashes_state(Machine* m) noexcept nogil:
    # "If c is U+002F (/) and remaining starts with U+002F (/)"
    if at(&m.text, m.i) & SLASH and at(&m.text, m.i + 1) & SLASH:
        took(m, SPECIAL_AUTHORITY_SLASHES_STATE, m.i, m.i + 2)
        m.i += 2
    else:
        # "Otherwise, special-scheme-missing-following-solidus validation error"
        violation(m, SPECIAL_AUTHORITY_SLASHES_STATE, SPECIAL_SCHEME_MISSING_FOLLOWING_SOLIDUS, m.i)
        m.seen |= BACKSLASH  # not in normal form
    return SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE


cdef inline Step special_authority_ignore_slashes_state(Machine* m) noexcept nogil:
    cdef uint32_t start = m.i
    # "If c is neither U+002F (/) nor U+005C (\), then set state to authority state"
    while at(&m.text, m.i) & (SLASH | BACKSLASH):
        # "Otherwise, special-scheme-missing-following-solidus validation error."
        violation(m, SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE, SPECIAL_SCHEME_MISSING_FOLLOWING_SOLIDUS, m.i)
        m.seen |= BACKSLASH  # not in normal form
        m.i += 1
    if m.i > start:
        took(m, SPECIAL_AUTHORITY_IGNORE_SLASHES_STATE, start, m.i)
    return AUTHORITY_STATE


cdef inline bint starts_with_drive_letter(const Machine* m, uint32_t i) noexcept nogil:
    """"its length is 2 or its third code point is U+002F (/), U+005C (\\), U+003F (?), or U+0023 (#)\""""
    return i + 1 < m.text.end and is_windows_drive_letter(m.text.p + i, 2) \
        and at(&m.text, i + 2) & (SLASH | BACKSLASH | QUESTION | HASH | END)
