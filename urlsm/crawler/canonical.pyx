"""canonicalize and similar functions: from texts to keys."""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcmp
from urlsm.crawler.keys cimport MAX_KEY_TEXT, scratch_free, scratch_start, write_key
from urlsm.crawler.structs cimport refuse
from urlsm.machine.codes cimport INVALID_URL_UNIT, TOO_LONG
from urlsm.machine.log cimport NO_SCHEME_STATE, SCHEME_START_STATE
from urlsm.machine.machine cimport ABSENT
from urlsm.machine.reading cimport BY_LANE, Reading, read
from urlsm.octets.buffer cimport ascii_data, ascii_text, buffer_free, buffer_start, is_ascii
from urlsm.octets.once cimport publish, published, stay, stay_all
from urlsm.octets.text cimport escapes_are_normal, exact, scalar_values
from urlsm.octets.words cimport is_all_ascii
from urlsm.crawler.profiles import DEFAULT_PROFILE, LATEST as _latest, PROFILES, profile as _profile
from urlsm.crawler.record import Profile
from urlsm.errors import ParseError
from urlsm.octets.objects import url_text

cdef dict _rulebooks = {name: _profile(name).rulebook for name in (*PROFILES, *_latest)}


cdef Rulebook rulebook_of(object profile):
    """Return the rules of a profile, given by itself or its name. ValueError: unknown profile. TypeError: another
    type."""
    found = _rulebooks.get(profile) if type(profile) is str else None
    if found is None:
        if isinstance(profile, str):
            profile = _profile(profile)
        elif not isinstance(profile, Profile):
            raise TypeError(f"a profile is its name or a Profile, not {type(profile).__name__}")
        found = profile.rulebook
    return <Rulebook?>found


cdef object error_of(object given, const KeyFailure* why):
    """Return the ParseError with the reason, and the place, if it is in the text as given."""
    cdef Py_ssize_t at = 0
    cdef const uint8_t* p = NULL
    if isinstance(given, str) and is_ascii(given):
        p = ascii_data(given)
    elif isinstance(given, bytes):
        p = <const uint8_t*>PyBytes_AS_STRING(given)
    if p != NULL and p <= why.where and <size_t>(why.where - p) <= <size_t>len(given):
        at = why.where - p
    error = ParseError(<int>why.code)
    error.url = given
    error.facts = (<int>why.step, at, -1)
    return error


cdef object octets_of(object given, Rulebook rulebook):
    """Return the octets of a str that is not ASCII, or of bytes; None where it has lone surrogates and the profile's
    peer refuses those."""
    if isinstance(given, bytes):
        return given if not rulebook.standard else (<bytes>given).decode("utf-8", "replace").encode("utf-8")
    if rulebook.standard:
        return scalar_values(given)
    try:
        octets = (<str>given).encode("utf-8")
    except UnicodeEncodeError:
        octets = None
    return octets


cdef str key_of(object given, Rulebook rulebook, Buffer* b, Scratch* s, KeyFailure* why):
    """Return the key of a text; the same str where nothing changes. None if it is refused, and why is filled in.

    TypeError if given is not a text."""
    cdef const uint8_t* p
    cdef size_t n
    cdef object octets
    if type(given) is not str:
        if not isinstance(given, (str, bytes)):
            given = url_text(given)
        if isinstance(given, str):
            given = exact(given)
    if type(given) is str and is_ascii(given):
        p = ascii_data(given)
        n = len(<str>given)
    elif isinstance(given, bytes) and is_all_ascii(<const uint8_t*>PyBytes_AS_STRING(given), PyBytes_GET_SIZE(given)):
        p = <const uint8_t*>PyBytes_AS_STRING(given)
        n = PyBytes_GET_SIZE(given)
    else:
        octets = octets_of(given, rulebook)
        if octets is None:
            refuse(why, INVALID_URL_UNIT, NO_SCHEME_STATE, NULL)
            return None
        p = <const uint8_t*>PyBytes_AS_STRING(octets)
        n = PyBytes_GET_SIZE(octets)
    if n > MAX_KEY_TEXT:
        refuse(why, TOO_LONG, SCHEME_START_STATE, NULL)
        return None
    b.n = 0
    if not write_key(b, p, n, &rulebook.rules, s, why):
        return None
    if type(given) is str and b.n == n and memcmp(b.p, p, n) == 0 and (is_ascii(given) or not rulebook.standard):
        return given
    if is_all_ascii(b.p, b.n):
        return ascii_text(b.p, b.n)
    return PyUnicode_DecodeUTF8(<const char*>b.p, b.n, "surrogateescape")


cdef object prepared(object url, object base, object encoding, bint standard):
    """Return a reference as a URL, a text of another encoding as octets. standard: the URL Standard's parser reads it.
    """
    if encoding is not None:
        from urlsm.crawler.encoded import codec_for, has_queries_in_utf8, octets_in, text_of_page, with_query_of_page
        if has_queries_in_utf8(encoding):
            url = text_of_page(url, encoding)
        elif standard or base is not None:
            url = with_query_of_page(url, base, encoding)
        else:
            url = octets_in(url, codec_for(encoding))
    if base is not None:
        from urlsm import resolve
        url = resolve(base, url)
    return url


cdef object canonical(object url, object profile, object base, object encoding, bint strict):
    cdef Rulebook rulebook = rulebook_of(profile)
    cdef Buffer b
    cdef Scratch s
    cdef KeyFailure why
    cdef str key
    given = url
    if base is not None or encoding is not None:
        given = prepared(url, base, encoding, rulebook.standard)
    buffer_start(&b)
    scratch_start(&s)
    try:
        key = key_of(given, rulebook, &b, &s, &why)
    finally:
        buffer_free(&b)
        scratch_free(&s)
    if key is None and strict:
        raise error_of(given, &why)
    return key


def canonicalize(url, profile=DEFAULT_PROFILE, *, base=None, encoding=None):
    """Return the key of a URL under a profile: URLs that the profile counts as one have one key. Do not request a key.

    Args:
        url: str, bytes or URL. The same str is returned where nothing changes.
        profile: the name of one, or a Profile.
        base: the URL (URL, str or bytes) that a relative reference is resolved against first, under the URL Standard.
        encoding: that of the page that holds the URL: bytes are decoded, and the query is encoded with it where
            possible; None is UTF-8. A label of the Encoding Standard ("latin-1" is windows-1252, as there; queries in
            pages of UTF-16 are UTF-8), or the name of a codec of Python, which has to be a superset of ASCII.

    Raises:
        ParseError: the profile refuses the text, or base is not a URL. ValueError: no such profile; an encoding that is
            not a superset of ASCII. LookupError: no such encoding. TypeError: not a text.
    """
    return canonical(url, profile, base, encoding, True)


def surt(url, profile="surt", *, with_scheme=False, trailing_comma=False):
    """Return the key of a URL in Sort-friendly URI Reordering Transform: "org,archive)/about".

    Args:
        url: str, bytes or URL. profile: whose rules; the name of one, or a Profile.
        with_scheme: "http://(org,archive)/about". trailing_comma: "org,archive,)/about".

    Raises:
        ParseError: the profile refuses the text. ValueError: no such profile. TypeError: not a text.

    https://github.com/internetarchive/surt
    """
    if with_scheme or trailing_comma or not (type(profile) is str and profile == "surt"):
        from urlsm.crawler.archives import profile_of
        profile = profile_of(profile, with_scheme, trailing_comma)
    return canonical(url, profile, None, None, True)


def try_canonicalize(url, profile=DEFAULT_PROFILE, *, base=None, encoding=None):
    """Like canonicalize, but return None instead of raising ParseError."""
    found = None
    try:
        found = canonical(url, profile, base, encoding, False)
    except ParseError:
        pass
    return found


def canonicalize_many(urls, profile=DEFAULT_PROFILE):
    """Return the key of each URL of an iterable, None where it is refused: list[str | None], in one loop.

    Raises:
        ValueError: no such profile. TypeError: one is not a text.
    """
    cdef Rulebook rulebook = rulebook_of(profile)
    cdef Buffer b
    cdef Scratch s
    cdef KeyFailure why
    cdef list keys = []
    buffer_start(&b)
    scratch_start(&s)
    try:
        for url in urls:
            keys.append(key_of(url, rulebook, &b, &s, &why))
    finally:
        buffer_free(&b)
        scratch_free(&s)
    return keys


# --- paths for robots.txt ------------------------------------------------------------------------

cdef PyObject* robots_profile = NULL  # of the keys whose paths robots_path returns, made on first use


def robots_path(url):
    """Return the path of a URL with its "?" and query, as matchers of robots.txt compare it: escapes of unreserved
    octets decoded, other escapes in upper case, characters beyond ASCII encoded as UTF-8; "%2F" is not "/".

    A text that begins with "/" is a path already.

    Raises:
        ParseError: it is not a URL. TypeError: not a text.

    RFC 9309 section 2.2.2
    """
    cdef str key = plain_robots_path(<str>url) if type(url) is str and is_ascii(url) else None
    cdef Py_ssize_t start = 0
    if key is not None:
        return key
    if published(&robots_profile) == NULL:
        publish(&robots_profile, _profile(DEFAULT_PROFILE).replace(form="bare", split_fields=False, empty_query=True))
    if isinstance(url, str) and str.startswith(url, "/"):  # not resolved: "//" begins no host here
        url = "http://h" + str.__str__(url)
    key = canonical(url, <object>published(&robots_profile), None, None, True)
    while start < len(key) and key[start] != "/" and key[start] != "?":
        start += 1
    return key[start:] if key[start:start + 1] == "/" else "/" + key[start:]


cdef str plain_robots_path(str text):
    """Return robots_path of an ASCII text that the plain lane takes, if the path and query are in it; otherwise None.

    Such a text is its own serialisation, so the parser changes neither, and removes no dot segment. Of both, the
    profile then changes escapes alone: it keeps all visible ASCII characters, and merges, sorts and drops nothing.
    """
    cdef Reading r
    cdef const uint8_t* p = ascii_data(text)
    cdef uint32_t end
    if len(text) > MAX_KEY_TEXT or not read(&r, p, len(text), NULL, BY_LANE) or r.at.root_missing:
        return None
    end = len(text) if r.at.fragment_start == ABSENT else r.at.fragment_start
    if not escapes_are_normal(p + r.at.host_end, end - r.at.host_end):
        return None
    return text[r.at.host_end:end]


for _rulebook in _rulebooks.values():  # which nothing has asked for before this import
    stay(_rulebook)
del _rulebook
stay_all(globals())
