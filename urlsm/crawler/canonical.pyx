"""Functions that compute keys, and hashes of keys, from Python strings and bytes."""
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport uint32_t, uint8_t
from libc.string cimport memchr, memcmp
from urlsm.crawler.hashes cimport choose_sha1, sha1_fn, write_blake2b_128, write_sha1, xxh64
from urlsm.crawler.keys cimport MAX_KEY_TEXT, Rulebook, scratch_free, scratch_start, write_key
from urlsm.crawler.structs cimport KeyFailure, Scratch, refuse
from urlsm.machine.codes cimport INVALID_URL_UNIT, MISSING_SCHEME_NON_RELATIVE_URL, TOO_LONG
from urlsm.machine.log cimport NO_SCHEME_STATE, SCHEME_START_STATE
from urlsm.machine.machine cimport ABSENT
from urlsm.machine.reading cimport BY_LANE, Reading, read
from urlsm.octets.buffer cimport Buffer, ascii_data, ascii_text, buffer_copy, buffer_free, buffer_start, is_ascii
from urlsm.octets.chars cimport BACKSLASH, CLASS, DIGIT, ENC_C0, ENC_QUERY, classes_of
from urlsm.octets.find cimport find
from urlsm.octets.once cimport publish, published, stay, stay_all
from urlsm.octets.text cimport escapes_are_normal, exact, scalar_values
from urlsm.octets.words cimport is_all_ascii
from urlsm.url.value cimport url_of_base
from urlsm.crawler.profiles import (
    DEFAULT_PROFILE, LATEST as _latest, PROFILES, SAFE_URL, SCRAPYS_PROFILE, profile as _profile,
)
from urlsm.crawler.record import Profile
from urlsm.errors import ParseError
from urlsm.octets.objects import url_text

cdef dict _rulebooks = {name: _profile(name).rulebook for name in (*PROFILES, *_latest)}


cdef Rulebook rulebook_of(object profile):
    """Return the Rulebook of a profile. profile: a name or a Profile. Raises ValueError if no profile has the name, and
    TypeError if `profile` is neither."""
    found = _rulebooks.get(profile) if type(profile) is str else None
    if found is None:
        if isinstance(profile, str):
            profile = _profile(profile)
        elif not isinstance(profile, Profile):
            raise TypeError(f"profile must be a name or a Profile, not {type(profile).__name__}")
        found = profile.rulebook
    return <Rulebook?>found


cdef object error_of(object given, const KeyFailure* why):
    """Return a ParseError with the reason why a text was rejected. It also has the position if why.where points into
    the text."""
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
    """Return the UTF-8 bytes of a str that is not ASCII, or of bytes. If the URL Standard's parser splits the text,
    lone surrogates and invalid bytes become U+FFFD. With another parser, bytes are returned unchanged, and None is
    returned for a str with lone surrogates."""
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
    """Return the key of the text `given`; if nothing changes, the key is the same str. If the text is rejected, fill in
    `why` and return None. Raises TypeError if `given` is not a text."""
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


cdef object text_on_page(object url, object base, object encoding, bint standard):
    """Return the text to canonicalise for a URL on a page: the URL in the page's encoding, resolved against the base.
    standard: whether the profile uses the URL Standard's parser."""
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
        url = resolve(url, base=base)
    return url


cdef object text_on_page_or_none(object url, object base, object encoding, bint standard):
    """Return text_on_page(), or None for a reference that is not a URL."""
    found = None
    try:
        found = text_on_page(url, base, encoding, standard)
    except ParseError:
        pass
    return found


cdef object canonical_key(object url, object profile, object base, object encoding, bint strict):
    cdef Rulebook rulebook = rulebook_of(profile)
    cdef Buffer b
    cdef Scratch s
    cdef KeyFailure why
    cdef str key
    given = url
    if base is not None or encoding is not None:
        given = text_on_page(url, base, encoding, rulebook.standard)
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
    """Return the key for deduplicating a URL: URLs that the profile treats as one page share a key. Never fetch a key.

    Args:
        url: str, bytes or URL. The same str is returned if nothing changes.
        profile: the name of a profile, or a Profile.
        base: the URL against which a relative reference is resolved first, as browsers do.
        encoding: the encoding of the page that contains the URL: a label from the Encoding Standard or a Python codec
            name. It is used to decode bytes and to encode the query. None: UTF-8; bytes that are not UTF-8 are then
            handled by the profile's rules, instead of decoded as on a page.

    Raises:
        ParseError: the profile rejects the URL, or `base` is not a URL.
        ValueError: there is no such profile, or the encoding is not a superset of ASCII.
        LookupError: there is no such encoding.
        TypeError: `url` is not str, bytes or URL.

    Example:
        >>> canonicalize("HTTP://Example.org:80/a/./b?z=1&a=2#top")
        'http://example.org/a/b?a=2&z=1'
        >>> canonicalize("http://www.example.org/A/?b=2&a=1", "surt")
        'org,example)/a?a=1&b=2'
    """
    return canonical_key(url, profile, base, encoding, True)


def surt(url, profile="surt", *, with_scheme=False, trailing_comma=False):
    """Return a URL in Sort-friendly URI Reordering Transform (SURT), as web archives sort URLs.

    Args:
        url: str, bytes or URL.
        profile: the name of a profile, or a Profile.
        with_scheme: whether to write the scheme: "http://(org,archive)/about".
        trailing_comma: whether to write a comma before ")": "org,archive,)/about".

    Raises:
        ParseError: the profile rejects the URL.
        ValueError: there is no such profile.
        TypeError: `url` is not str, bytes or URL.

    Example:
        >>> surt("https://www.archive.org/about")
        'org,archive)/about'

    https://github.com/internetarchive/surt
    """
    if with_scheme or trailing_comma or not (type(profile) is str and profile == "surt"):
        from urlsm.crawler.archives import profile_of
        profile = profile_of(profile, with_scheme, trailing_comma)
    return canonical_key(url, profile, None, None, True)


def try_canonicalize(url, profile=DEFAULT_PROFILE, *, base=None, encoding=None):
    """Return the key of a URL like `canonicalize`, or None if the profile rejects the URL.

    Args:
        url: str, bytes or URL.
        profile: the name of a profile, or a Profile.
        base: the URL against which a relative reference is resolved first.
        encoding: the encoding of the page that contains the URL. None: UTF-8.

    Raises:
        ValueError: there is no such profile, or the encoding is not a superset of ASCII.
        LookupError: there is no such encoding.
        TypeError: `url` is not str, bytes or URL.

    Example:
        >>> try_canonicalize("http://h:x/") is None
        True
    """
    found = None
    try:
        found = canonical_key(url, profile, base, encoding, False)
    except ParseError:
        pass
    return found


def canonicalize_many(urls, profile=DEFAULT_PROFILE, *, base=None, encoding=None):
    """Return a list with the key of each URL, or None where the profile rejects the URL.

    Args:
        urls: an iterable of str, bytes or URL.
        profile: the name of a profile, or a Profile.
        base: the URL against which relative references are resolved first.
        encoding: the encoding of the page that contains the URLs. None: UTF-8.

    Raises:
        ParseError: `base` is not a URL.
        ValueError: there is no such profile, or the encoding is not a superset of ASCII.
        LookupError: there is no such encoding.
        TypeError: `urls` is a str, or an item is not str, bytes or URL.

    Example:
        >>> canonicalize_many(["/?b&a", "http://h:x/"], base="http://h/")
        ['http://h/?a&b', None]
    """
    cdef Rulebook rulebook = rulebook_of(profile)
    cdef Buffer b
    cdef Scratch s
    cdef KeyFailure why
    cdef list keys = []
    cdef bint on_page = base is not None or encoding is not None
    if isinstance(urls, (str, bytes)) or not hasattr(urls, "__iter__"):
        raise TypeError(f"urls must be an iterable of URLs, not {type(urls).__name__}")
    if base is not None:
        base = url_of_base(base)
    buffer_start(&b)
    scratch_start(&s)
    try:
        for url in urls:
            if on_page:
                url = text_on_page_or_none(url, base, encoding, rulebook.standard)
            keys.append(None if on_page and url is None else key_of(url, rulebook, &b, &s, &why))
    finally:
        buffer_free(&b)
        scratch_free(&s)
    return keys


# --- paths for robots.txt ------------------------------------------------------------------------

cdef PyObject* robots_profile = NULL  # the profile of robots_path, made on first use


def robots_path(url):
    """Return the path and query of a URL in the form that is matched against robots.txt.

    Escapes of unreserved characters are decoded, other escapes ("%2F") are in upper case, and characters that are not
    ASCII are percent-encoded. A str that begins with "/" is read as a path.

    Args:
        url: str, bytes or URL.

    Raises:
        ParseError: `url` is not a URL.
        TypeError: `url` is not str, bytes or URL.

    Example:
        >>> robots_path("http://example.org/%7ea/é?q=%2f")
        '/~a/%C3%A9?q=%2F'

    RFC 9309 section 2.2.2
    """
    cdef str key = plain_robots_path(<str>url) if type(url) is str and is_ascii(url) else None
    cdef Py_ssize_t start = 0
    if key is not None:
        return key
    if published(&robots_profile) == NULL:
        how = _profile(DEFAULT_PROFILE).replace(key_form="bare", split_params=False, empty_query=True)
        publish(&robots_profile, how)
    if isinstance(url, str) and str.startswith(url, "/"):  # a path; even a "//" at its start does not begin a host
        url = "http://h" + str.__str__(url)
    key = canonical_key(url, <object>published(&robots_profile), None, None, True)
    while start < len(key) and key[start] != "/" and key[start] != "?":
        start += 1
    return key[start:] if key[start:start + 1] == "/" else "/" + key[start:]


cdef str plain_robots_path(str text):
    """Return robots_path() of an ASCII text by a short way. This works if the text is plain (machine/lane/plain.h), its
    path is not empty, and all its escapes are in normal form. Return None for other strings.

    The parser changes nothing in a plain text, and there are no dot segments to remove. The profile of robots_path
    changes only the escapes of a plain text: it keeps all visible ASCII characters, and merges, sorts and drops
    nothing.
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


# --- fingerprints, the hashes of keys -------------------------------------------------------------

KINDS = ("xxh64", "sha1", "blake2b-128")

cdef enum:
    XXH64, SHA1, BLAKE2B_128  # the index of each kind in KINDS

cdef Rulebook safe_url = SAFE_URL.rulebook
cdef sha1_fn sha1_block = choose_sha1(True)


def use_sha1_instructions(bint wanted):
    """Turn the use of the CPU's SHA-1 instructions on or off, for tests. Returns whether they are now in use."""
    global sha1_block
    sha1_block = choose_sha1(wanted)
    return sha1_block != choose_sha1(False)


def xxh64_of(data):
    """Return the XXH64 hash of bytes with seed 0, as an unsigned int."""
    cdef bytes octets = data
    return xxh64(<const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets))


cdef bint is_request(str text) except -1:
    """Return whether scrapy.Request would accept the text."""
    cdef const uint8_t* p
    cdef const uint8_t* end
    if is_ascii(text):  # in most texts, "//" follows the first ":"
        p = ascii_data(text)
        end = p + len(text)
        p = find(p, end, c':')
        if end - p >= 3 and p[1] == c'/' and p[2] == c'/':
            return True
    return "://" in text or text.startswith(("about:", "data:"))


cdef bytes request_head(object method, object body):
    """Return the beginning, up to the URL, of the JSON that Scrapy's default request fingerprinter hashes."""
    if type(method) is str and method == "GET" and type(body) is bytes and body == b"":
        return GET_HEAD
    from json import dumps
    check_request(method, body)
    text = f'{{"body": "{bytes(body).hex()}", "headers": {{}}, "method": {dumps(str(method).upper())}, "url": "'
    return text.encode("ascii")


cdef bytes GET_HEAD = b'{"body": "", "headers": {}, "method": "GET", "url": "'  # request_head("GET", b"")


cdef bytes sha1(const uint8_t* p, size_t n):
    cdef uint8_t[20] digest
    write_sha1(p, n, digest, sha1_block)
    return digest[:20]


cdef bytes blake2b_128(const uint8_t* p, size_t n):
    cdef uint8_t[16] digest
    write_blake2b_128(p, n, digest)
    return digest[:16]


cdef bytes scrapy_digest(str key, bytes head, Buffer* b):
    """Return the SHA-1 of the JSON that Scrapy's default request fingerprinter makes for a request. key: the key of its
    URL. head: the JSON up to the URL, from request_head."""
    cdef str text = key
    if not is_ascii(key) or classes_of(ascii_data(key), len(key)) & (ENC_C0 | ENC_QUERY | BACKSLASH):
        from json import dumps
        text = dumps(key)  # this escapes control characters, DEL, quotes, backslashes and all beyond ASCII
        text = text[1:len(text) - 1]
    b.n = 0
    buffer_copy(b, <const uint8_t*>PyBytes_AS_STRING(head), PyBytes_GET_SIZE(head))
    buffer_copy(b, ascii_data(text), len(text))
    buffer_copy(b, <const uint8_t*>b'"}', 2)
    return sha1(b.p, b.n)


cdef int kind_of(object kind) except -1:
    try:
        return KINDS.index(kind)
    except ValueError:
        raise ValueError(f"unknown kind of fingerprint {kind!r}; the kinds are {', '.join(KINDS)}") from None


cdef object hash_of(const uint8_t* p, size_t n, int kind):
    if kind == XXH64:
        return xxh64(p, n)
    return sha1(p, n) if kind == SHA1 else blake2b_128(p, n)


cdef object digest_of_key(str key, int kind):
    """Return the fingerprint of the URL with this key."""
    if is_ascii(key):
        return hash_of(ascii_data(key), len(key), kind)
    octets = key.encode("utf-8", "surrogateescape")
    return hash_of(<const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets), kind)


cdef int check_request(object method, object body) except -1:
    """Raise TypeError if an argument has the wrong type. (bytes(5) would be five zero bytes.)"""
    if not isinstance(method, str):
        raise TypeError(f"method must be str, not {type(method).__name__}")
    if not isinstance(body, (bytes, bytearray, memoryview)):
        raise TypeError(f"body must be bytes, not {type(body).__name__}")
    return 0


def digest(str key not None, kind, method="GET", body=b""):
    """Return the fingerprint of a request, given the key of its URL. Raises ValueError if there is no such kind."""
    cdef int which = kind_of(kind)
    cdef bytes octets
    if method == "GET" and body == b"":
        return digest_of_key(key, which)
    # If the key holds no line feed and the method no space, as is usual, these octets differ from every key, and from
    # the octets of every other request.
    check_request(method, body)
    octets = f"{str(method).upper()} {key}\n".encode("utf-8", "surrogateescape") + bytes(body)
    return hash_of(<const uint8_t*>PyBytes_AS_STRING(octets), PyBytes_GET_SIZE(octets), which)


def fingerprint(url, profile=DEFAULT_PROFILE, *, kind="xxh64"):
    """Return a hash of a URL's key, to store instead of the URL: an int or bytes.

    To store fingerprints in a database, use a profile name with a version number: "w3lib" and "urlsm" mean the newest
    versions. For Scrapy's own fingerprints, use urlsm.compat.scrapy.

    Args:
        url: str, bytes or URL.
        profile: the name of a profile, or a Profile.
        kind: "xxh64" (XXH64 with seed 0, an unsigned int), "sha1" (20 bytes) or "blake2b-128" (16 bytes).

    Raises:
        ParseError: the profile rejects the URL.
        ValueError: there is no such profile or kind.
        TypeError: `url` is not str, bytes or URL.

    Example:
        >>> fingerprint("http://example.org/?b&a") == fingerprint("HTTP://example.org/?a&b#top")
        True
    """
    cdef int which = kind_of(kind)
    cdef str key = canonical_key(url, profile, None, None, True)
    return digest_of_key(key, which)


def fingerprint_many(urls, profile=DEFAULT_PROFILE, *, kind="xxh64"):
    """Return a list with the fingerprint of each URL, or None where the profile rejects the URL.

    Args:
        urls: an iterable of str, bytes or URL.
        profile: the name of a profile, or a Profile.
        kind: "xxh64", "sha1" or "blake2b-128", as for `fingerprint`.

    Raises:
        ValueError: there is no such profile or kind.
        TypeError: `urls` is a str, or an item is not str, bytes or URL.

    Example:
        >>> fingerprint_many(["http://h/", "http://h:x/"])
        [15396196469677599564, None]
    """
    cdef int which = kind_of(kind)
    cdef Rulebook rulebook = rulebook_of(profile)
    cdef Buffer b
    cdef Scratch s
    cdef KeyFailure why
    cdef str key
    cdef list found = []
    if isinstance(urls, (str, bytes)) or not hasattr(urls, "__iter__"):
        raise TypeError(f"urls must be an iterable of URLs, not {type(urls).__name__}")
    buffer_start(&b)
    scratch_start(&s)
    try:
        for url in urls:
            key = key_of(url, rulebook, &b, &s, &why)
            found.append(None if key is None else digest_of_key(key, which))
    finally:
        buffer_free(&b)
        scratch_free(&s)
    return found


# --- Scrapy's fingerprints -----------------------------------------------------------------------

cdef str key_of_request(object url, Rulebook rulebook, Buffer* b, Scratch* s, KeyFailure* why):
    """Return the key that Scrapy hashes for a request for this URL. Return None if scrapy.Request or w3lib rejects the
    URL, and say why."""
    cdef str text = key_of(url, safe_url, b, s, why)
    if text is None:
        return None
    if not is_request(text):
        refuse(why, MISSING_SCHEME_NON_RELATIVE_URL, NO_SCHEME_STATE, NULL)
        return None
    return key_of(text, rulebook, b, s, why)


def request_fingerprint(url, method, body, profile=SCRAPYS_PROFILE):
    """Return urlsm.compat.scrapy.fingerprint(url, method=method, body=body). profile: a profile of w3lib."""
    cdef Buffer b
    cdef Scratch s
    cdef KeyFailure why
    cdef str key
    buffer_start(&b)
    scratch_start(&s)
    try:
        key = key_of_request(url, rulebook_of(profile), &b, &s, &why)
        if key is not None:
            return scrapy_digest(key, request_head(method, body), &b)
    finally:
        buffer_free(&b)
        scratch_free(&s)
    raise error_of(url, &why)


def request_fingerprints(urls, method, body):
    """Return request_fingerprint() for each URL in an iterable, or None if the URL is rejected."""
    cdef Rulebook rulebook = rulebook_of(SCRAPYS_PROFILE)
    cdef bytes head = request_head(method, body)
    cdef Buffer b
    cdef Scratch s
    cdef KeyFailure why
    cdef str key
    cdef list found = []
    buffer_start(&b)
    scratch_start(&s)
    try:
        for url in urls:
            key = key_of_request(url, rulebook, &b, &s, &why)
            found.append(None if key is None else scrapy_digest(key, head, &b))
    finally:
        buffer_free(&b)
        scratch_free(&s)
    return found


def request_digest(str key not None, method, body):
    """Return Scrapy's fingerprint of a request, given the key of its URL."""
    cdef Buffer b
    buffer_start(&b)
    try:
        return scrapy_digest(key, request_head(method, body), &b)
    finally:
        buffer_free(&b)


# --- Safe Browsing (https://developers.google.com/safe-browsing/v4/urls-hashing) -------------------

cdef struct Expressions:     # each expression is the part of the key from the start of a host to the end of a path
    uint32_t[5] hosts        # where in the key the hosts begin, the longest host first
    uint32_t[6] paths        # where in the key the paths end
    uint32_t host_count
    uint32_t path_count


cdef bint is_address(const uint8_t* p, uint32_t k, uint32_t end) noexcept nogil:
    """Return whether the host p[k:end] is in brackets, or consists of four numbers."""
    cdef uint32_t dots = 0, digits = 0
    if k < end and p[k] == c'[':
        return True
    while k < end:
        if p[k] == c'.' and digits:
            dots += 1
            digits = 0
        elif CLASS[p[k]] & DIGIT:
            digits += 1
        else:
            return False
        k += 1
    return dots == 3 and digits != 0


cdef void find_expressions(const uint8_t* p, uint32_t n, Expressions* e) noexcept nogil:
    """Set `e` to the expressions of the key p[0:n], which has a scheme and a host."""
    cdef uint32_t start = <uint32_t>(<const uint8_t*>memchr(p, c':', n) - p) + 3, host_end, path_end, k, slashes = 0
    cdef uint32_t labels = 1, label = 0
    host_end = start
    while host_end < n and p[host_end] != c'/' and p[host_end] != c'?':
        labels += p[host_end] == c'.'
        host_end += 1
    path_end = host_end
    while path_end < n and p[path_end] != c'?':
        path_end += 1
    # The hosts are "the exact hostname", and "up to four hostnames formed by starting with the last five components and
    # successively removing the leading component [...] The top-level domain can be skipped."
    e.hosts[0], e.host_count = start, 1
    if not is_address(p, start, host_end):
        for k in range(start, host_end):
            if p[k] == c'.':
                label += 1
                if label + 5 >= labels and label + 2 <= labels:
                    e.hosts[e.host_count] = k + 1
                    e.host_count += 1
    # The paths are "the exact path of the URL, including query parameters", the same without query parameters, and "the
    # four paths formed by starting at the root and successively appending path components, including a trailing slash".
    e.paths[0], e.path_count = n, 1
    if path_end < n:
        e.paths[1], e.path_count = path_end, 2
    for k in range(host_end, path_end):
        if p[k] == c'/' and slashes < 4:
            slashes += 1
            if k + 1 < path_end:  # so this is not the whole path, which is in e.paths already
                e.paths[e.path_count] = k + 1
                e.path_count += 1


cdef str browsing_key(object url):
    """Return the key of a URL according to the profile "safebrowsing". The keys of this profile consist of visible
    ASCII, and have a host."""
    cdef Buffer b
    cdef Scratch s
    cdef KeyFailure why
    cdef str key = None
    buffer_start(&b)
    scratch_start(&s)
    try:
        key = key_of(url, rulebook_of("safebrowsing"), &b, &s, &why)
    finally:
        buffer_free(&b)
        scratch_free(&s)
    if key is None:
        raise error_of(url, &why)
    return key


cdef tuple expressions_of(object url, bint hashed):
    cdef str key = browsing_key(url)
    cdef const uint8_t* p = ascii_data(key)
    cdef Expressions e
    cdef uint32_t k, j
    cdef list found = []
    if not is_ascii(key) or memchr(p, c':', len(key)) == NULL:
        raise AssertionError(key)
    if hashed:
        from hashlib import sha256
    find_expressions(p, len(key), &e)
    for k in range(e.host_count):
        for j in range(e.path_count):
            if hashed:
                found.append(sha256(<bytes>p[e.hosts[k]:e.paths[j]]).digest())
            else:
                found.append(ascii_text(p + e.hosts[k], e.paths[j] - e.hosts[k]))
    return tuple(found)


def safebrowsing_expressions(url):
    """Return a URL's host-suffix and path-prefix expressions for Safe Browsing: at most 30, longest host first.

    Args:
        url: str, bytes or URL.

    Raises:
        ParseError: `url` has no host.
        TypeError: `url` is not str, bytes or URL.

    Example:
        >>> safebrowsing_expressions("http://a.example.org/x?y")[:2]
        ('a.example.org/x?y', 'a.example.org/x')

    https://developers.google.com/safe-browsing/v4/urls-hashing
    """
    return expressions_of(url, False)


def safebrowsing_hashes(url):
    """Return the SHA-256 hash of each of a URL's `safebrowsing_expressions`, as a tuple of bytes.

    Args:
        url: str, bytes or URL.

    Raises:
        ParseError: `url` has no host.
        TypeError: `url` is not str, bytes or URL.

    Example:
        >>> safebrowsing_hashes("http://example.org/")[0].hex()[:8]
        '5684f90a'

    https://developers.google.com/safe-browsing/v4/urls-hashing
    """
    return expressions_of(url, True)


for _rulebook in _rulebooks.values():  # stay() is safe here: no other thread holds one of these objects yet
    stay(_rulebook)
del _rulebook
stay_all(globals())
