"""The functions for columns."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

from urlsm.columns.names import FIELDS, FIVE, LIST, OF_PARTS, SPANS, SPLIT, Schema, check_fields
from urlsm.columns.work import (
    Array,
    ChunkedArray,
    Question,
    Source,
    Sources,
    Work,
    segments_of_paths,
    slices,
    source_of,
    sources_of,
    type_of,
    with_kept,
)
from urlsm.components.value import dialect_number
from urlsm.crawler.profiles import DEFAULT_PROFILE
from urlsm.url.value import URL, base_of

if TYPE_CHECKING:
    from urlsm.columns.parts import SchemeParts
    from urlsm.crawler.record import Profile
    from urlsm.crawler.sites import PublicSuffixList
    from urlsm.url.value import StrOrURL

T = TypeVar("T")

DEFAULT_BATCH = 32768  # batches of this many rows fit the CPU's caches, and most engines pass such batches
MAX_THREADS = 256
KINDS = ("xxh64", "sha1", "blake2b-128")  # the kinds of fingerprints


def check_threads(threads: int | None) -> int | None:
    if threads is not None and (isinstance(threads, bool) or not isinstance(threads, int)):
        raise TypeError(f"threads must be int or None, not {type(threads).__name__}")
    if threads is not None and not 1 <= threads <= MAX_THREADS:
        raise ValueError(f"threads must be from 1 to {MAX_THREADS}, or None for one per processor")
    return threads


def answer_column(
    column: Any, question: Question, threads: int | None, parts: SchemeParts | None = None
) -> Array | ChunkedArray:
    """Return the answer to a question for each array of the column. parts: an object that adds the requested
    scheme-specific parts; None if no parts are requested."""
    check_threads(threads)

    def answer(source: Source) -> Array:
        made = Work(question, source).run(threads)
        return made if parts is None else parts.complete(made, source)

    source = source_of(column)
    if not isinstance(source, Sources):
        return answer(source)
    schema = question.schema(type_of(source.text_schema()))
    return ChunkedArray([answer(chunk) for chunk in source], schema if parts is None else parts.schema(schema))


def _base(base: Any) -> URL | None:
    return None if base is None else base_of(base)


def _split_fields(fields: Sequence[str]) -> tuple[Iterable[str], SchemeParts | None]:
    """Return the fields that C makes, and an object that adds the requested scheme-specific parts to these fields (None
    if no parts are requested)."""
    names = check_fields(fields, FIELDS, OF_PARTS)
    own = [name for name in names if name.startswith(OF_PARTS)]
    if not own:
        return names, None
    from urlsm.columns.parts import SchemeParts

    return dict.fromkeys([*[name for name in names if name not in own], "href"]), SchemeParts(names, own)


def parse(
    column: Any,
    fields: Sequence[str] = FIVE,
    *,
    base: StrOrURL | None = None,
    layout: str | None = None,
    threads: int | None = 1,
) -> Array | ChunkedArray:
    """Parse each URL as browsers do (URL Standard), and return its fields as a struct column.

    The fields of a null row are null. For an invalid URL, all fields are null but error_code, error_position and
    can_parse. No struct is null, so that Arrow libraries accept the result as a table. An absent component is null. The
    GIL is held for "parts.NAME" fields and for the few URLs that need a closer look.

    Args:
        column: an Arrow column of URLs: text, binary (as UTF-8) or a dictionary of these. Any object with
            __arrow_c_array__ or __arrow_c_stream__ works: a pyarrow.Array, a polars.Series or a pandas.Series.
        fields: names from `urlsm.columns.FIELDS`, or "parts.NAME" for a part of `URL.parts`.
        base: the base URL, to resolve relative references.
        layout: the layout of text in the result: "string", "large_string" or "view"; None for the layout of the column.
            "view" does not copy a URL that is already normalised.
        threads: the number of threads; None for one per 65,536 rows, up to the number of processors.

    Raises:
        TypeError: `column` is not an Arrow column of text.
        ValueError: a field or the layout does not exist.
        ParseError: `base` is not a valid URL.
        OverflowError: the result contains more than 2 GiB of text; use layout="large_string".
        PluginError: `fields` includes "parts.NAME", and the plug-in for a scheme cannot be loaded.

    Example:
        >>> import pyarrow as pa, urlsm.columns as uc
        >>> found = uc.parse(pa.array(["http://h:81/a", "x"]), ("can_parse", "port"))
        >>> found.to_pylist(), pa.table(found).num_columns
        ([{'can_parse': True, 'port': 81}, {'can_parse': False, 'port': None}], 2)

    https://url.spec.whatwg.org/#concept-basic-url-parser
    """
    plain, parts = _split_fields(fields)
    return answer_column(column, Question(plain, base=_base(base), layout=layout), threads, parts)


class _Text(Protocol):
    """The type of a function for one field of text."""

    def __call__(self, column: Any, *, layout: str | None = None, threads: int | None = 1) -> Array | ChunkedArray: ...


def _text(name: str, what: str, value: str, link: str, *, always: bool = False) -> _Text:
    """Return the function for a field of text. what, link: a description of the field, and a link to its definition.
    value: the field's value for the example URL. always: whether each URL has the field."""

    def function(column: Any, *, layout: str | None = None, threads: int | None = 1) -> Array | ChunkedArray:
        return answer_column(column, Question((name,), single=True, layout=layout), threads)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""Return {what} of each URL, like `URL.{name}`.

    A row is null if the URL {"is invalid" if always else f"has no {name} or is invalid"}.

    Args:
        column: an Arrow column of URLs, as in `parse`.
        layout: the layout of text in the result, as in `parse`.
        threads: the number of threads, as in `parse`.

    Raises:
        TypeError: `column` is not an Arrow column of text.
        ValueError: the layout does not exist.

    Example:
        >>> import pyarrow as pa, urlsm.columns as uc
        >>> uc.{name}(pa.array(["HTTPS://u:p@Ex.com:81/a%20b?c#d", "x"])).to_pylist()
        [{value!r}, None]

    https://url.spec.whatwg.org/#{link}
    """
    return function


scheme = _text("scheme", "the scheme", "https", "concept-url-scheme", always=True)
username = _text("username", "the percent-encoded username", "u", "concept-url-username")
password = _text("password", "the percent-encoded password", "p", "concept-url-password")
host = _text("host", "the normalised host", "ex.com", "concept-url-host")
path = _text("path", "the percent-encoded path", "/a%20b", "concept-url-path", always=True)
query = _text("query", "the query string", "c", "concept-url-query")
fragment = _text("fragment", "the fragment", "d", "concept-url-fragment")
href = _text("href", "the normal form", "https://u:p@ex.com:81/a%20b?c#d", "concept-url-serializer", always=True)
authority = _text("authority", "the username, password, host and port", "u:p@ex.com:81", "url-representation")
origin = _text("origin", "the origin", "https://ex.com:81", "concept-url-origin", always=True)


def port(column: Any, *, threads: int | None = 1) -> Array | ChunkedArray:
    """Return the port of each URL as uint16, like `URL.port`.

    A row is null if the URL is invalid, has no port, or has its scheme's default port.

    Args:
        column: an Arrow column of URLs, as in `parse`.
        threads: the number of threads, as in `parse`.

    Raises:
        TypeError: `column` is not an Arrow column of text.

    Example:
        >>> import pyarrow as pa, urlsm.columns as uc
        >>> uc.port(pa.array(["http://h:81/", "http://h:80/"])).to_pylist()
        [81, None]

    https://url.spec.whatwg.org/#concept-url-port
    """
    return answer_column(column, Question(("port",), single=True), threads)


def error_code(column: Any, *, threads: int | None = 1) -> Array | ChunkedArray:
    """Return the error code of each invalid URL, like `ParseError.code`; null for a valid URL.

    The result is a dictionary column that stores each code once.

    Args:
        column: an Arrow column of URLs, as in `parse`.
        threads: the number of threads, as in `parse`.

    Raises:
        TypeError: `column` is not an Arrow column of text.

    Example:
        >>> import pyarrow as pa, urlsm.columns as uc
        >>> uc.error_code(pa.array(["http://h/", "http://h:x/"])).to_pylist()
        [None, 'port-invalid']

    https://url.spec.whatwg.org/#validation-error
    """
    return answer_column(column, Question(("error_code",), single=True), threads)


def error_position(column: Any, *, threads: int | None = 1) -> Array | ChunkedArray:
    """Return the byte index at which parsing each invalid URL failed, as int32; null for a valid URL.

    Args:
        column: an Arrow column of URLs, as in `parse`.
        threads: the number of threads, as in `parse`.

    Raises:
        TypeError: `column` is not an Arrow column of text.

    Example:
        >>> import pyarrow as pa, urlsm.columns as uc
        >>> uc.error_position(pa.array(["http://h/", "http://h:x/"])).to_pylist()
        [None, 9]

    https://url.spec.whatwg.org/#validation-error
    """
    return answer_column(column, Question(("error_position",), single=True), threads)


def can_parse(column: Any, *, threads: int | None = 1) -> Array | ChunkedArray:
    """Return a bool column that says whether each URL is valid, like `urlsm.can_parse`.

    Args:
        column: an Arrow column of URLs, as in `parse`.
        threads: the number of threads, as in `parse`.

    Raises:
        TypeError: `column` is not an Arrow column of text.

    Example:
        >>> import pyarrow as pa, urlsm.columns as uc
        >>> uc.can_parse(pa.array(["http://h/", "x", None])).to_pylist()
        [True, False, None]

    https://url.spec.whatwg.org/#dom-url-canparse
    """
    return answer_column(column, Question(("can_parse",), single=True), threads)


def split(
    column: Any,
    fields: Sequence[str] = SPLIT,
    *,
    dialect: str = "whatwg",
    layout: str | None = None,
    threads: int | None = 1,
) -> Array | ChunkedArray:
    """Return the components of each URL as they are written, in any dialect, like `urlsm.split`.

    The components of URLs in a binary column are also binary. All are null if the URL cannot be split, which happens
    only with the dialect "barth".

    Args:
        column: an Arrow column of URLs, as in `parse`.
        fields: names of components: scheme, authority, userinfo, username, password, host, port, path, query,
            fragment.
        dialect: "whatwg", "rfc3986", "rfc3987", "rfc2396", "rfc1738", "barth" or "stdlib".
        layout: the layout of text in the result, as in `parse`.
        threads: the number of threads, as in `parse`.

    Raises:
        TypeError: `column` is not an Arrow column of text.
        ValueError: a field, the dialect or the layout does not exist.

    Example:
        >>> import pyarrow as pa, urlsm.columns as uc
        >>> uc.split(pa.array(["HTTP://H/%7e?"]), ("host", "path", "query")).to_pylist()
        [{'host': 'H', 'path': '/%7e', 'query': ''}]

    https://datatracker.ietf.org/doc/html/rfc3986#section-3
    """
    question = Question(check_fields(fields, SPANS), dialect=dialect_number(dialect), layout=layout)
    return answer_column(column, question, threads)


def resolve(column: Any, *, base: Any, layout: str | None = None, threads: int | None = 1) -> Array | ChunkedArray:
    """Resolve each reference against a base URL, like `URL.join`.

    A row is null if the reference or its base is null or invalid.

    Args:
        column: an Arrow column of references, as in `parse`.
        base: a URL, or an Arrow column with one base per row.
        layout: the layout of text in the result, as in `parse`.
        threads: the number of threads, as in `parse`.

    Raises:
        TypeError: `column` is not an Arrow column of text.
        ParseError: `base` is a str that is not a valid URL.
        ValueError: `base` is a column with a different length, or the layout does not exist.

    Example:
        >>> import pyarrow as pa, urlsm.columns as uc
        >>> uc.resolve(pa.array(["../b", "?c"]), base="http://h/x/a").to_pylist()
        ['http://h/b', 'http://h/x/a?c']

    https://url.spec.whatwg.org/#concept-basic-url-parser
    """
    if isinstance(base, (str, bytes, URL)):
        return answer_column(column, Question(("href",), single=True, base=_base(base), layout=layout), threads)
    if not (hasattr(base, "__arrow_c_array__") or hasattr(base, "__arrow_c_stream__")):
        raise TypeError(f"base must be a URL or an Arrow array, not {type(base).__name__}")
    question = Question(("href",), single=True, layout=layout)
    check_threads(threads)
    references, bases = source_of(column), source_of(base)
    if not isinstance(references, Sources) and not isinstance(bases, Sources):
        if len(references) != len(bases):
            raise ValueError(f"base must have as many rows as column: {len(references)}, not {len(bases)}")
        return Work(question, references, bases).run(threads)
    pairs = slices(references, bases)
    given = type_of(references.text_schema()) if isinstance(references, Sources) else references.schema
    values = given if given.dictionary is None else given.dictionary
    return ChunkedArray([Work(question, part, its).run(threads) for part, its in pairs], question.schema(values))


def parse_stream(
    reader: Any,
    fields: Sequence[str] = FIVE,
    *,
    column: str | None = None,
    keep: Sequence[str] = (),
    base: StrOrURL | None = None,
    layout: str | None = None,
    threads: int | None = 1,
    batch_size: int = DEFAULT_BATCH,
    progress: Callable[[int, int], object] | None = None,
) -> Stream:
    """Parse a stream of URLs batch by batch, in constant memory.

    Args:
        reader: an object with __arrow_c_stream__, such as a pyarrow.RecordBatchReader or a DuckDB result. The call
            consumes it.
        fields: the fields to return, as in `parse`.
        column: the name of the column of URLs, if the stream has several columns.
        keep: the names of columns of the stream that the batches have before the fields. They are not copied.
        base: the base URL, to resolve relative references.
        layout: the layout of text in the result, as in `parse`.
        threads: the number of batches to parse at the same time; None for the number of processors.
        batch_size: the maximum number of rows per batch.
        progress: a function to call after each batch with the number of rows and the number of bytes processed so far.

    Returns:
        A `Stream`: an iterator of struct columns that is also an Arrow stream.

    Raises:
        TypeError: `reader` is not an Arrow stream of text.
        ValueError: a field or the layout does not exist, `batch_size` is less than 1, or two columns would have the
            same name.
        KeyError: the stream has no column with this name.
        OSError: reading the stream failed.

    Example:
        >>> import pyarrow as pa, urlsm.columns as uc
        >>> urls = pa.table({"id": [7, 8], "url": ["http://h/a", "x"]})
        >>> [len(batch) for batch in uc.parse_stream(urls, ("path",), column="url", batch_size=1)]
        [1, 1]
        >>> pa.table(uc.parse_stream(urls, ("path",), column="url", keep=("id",))).to_pylist()
        [{'id': 7, 'path': '/a'}, {'id': 8, 'path': None}]

    https://url.spec.whatwg.org/#concept-basic-url-parser
    """
    plain, parts = _split_fields(fields)
    question = Question(plain, base=_base(base), layout=layout)
    if isinstance(keep, (str, bytes)):
        raise TypeError(f"keep must be a sequence of names, not {type(keep).__name__}: write ({keep!r},)")
    if twice := [name for k, name in enumerate((*keep, *fields)) if name in (*keep, *fields)[:k]]:
        raise ValueError(f"two columns would have the name {twice[0]!r}")
    if isinstance(batch_size, bool) or not isinstance(batch_size, int) or batch_size < 1:
        raise ValueError("batch_size must be an int of at least 1")
    sources = sources_of(reader, column, tuple(keep))
    return Stream(sources, question, parts, check_threads(threads), batch_size, progress)


class Stream:
    """The batches that `parse_stream` returns. Iterate over them once, or pass them to an Arrow library.

    `schema` is the type of each batch.

    Example:
        >>> import pyarrow as pa, urlsm.columns as uc
        >>> batches = uc.parse_stream(pa.table({"url": ["http://h/a"]}), ("host",), column="url")
        >>> pa.RecordBatchReader.from_stream(batches).read_all().to_pylist()
        [{'host': 'h'}]
    """

    __module__ = "urlsm.columns"

    def __init__(
        self,
        sources: Sources,
        question: Question,
        parts: SchemeParts | None,
        threads: int | None,
        batch_size: int,
        progress: Callable[[int, int], object] | None,
    ) -> None:
        schema = question.schema(type_of(sources.text_schema()))
        schema = schema if parts is None else parts.schema(schema)
        self.schema: Schema = schema._replace(children=(*sources.kept_schemas(), *schema.children))
        self._batches = self._run_all(sources, question, parts, threads, batch_size, progress)

    def __iter__(self) -> Iterator[Array]:
        return self._batches

    def __next__(self) -> Array:
        return next(self._batches)

    def __arrow_c_schema__(self) -> object:
        return ChunkedArray([], self.schema).__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return ChunkedArray._stream_of(self._batches, self.schema, requested_schema)

    @staticmethod
    def _run_all(
        sources: Sources,
        question: Question,
        parts: SchemeParts | None,
        threads: int | None,
        batch_size: int,
        progress: Callable[[int, int], object] | None,
    ) -> Iterator[Array]:
        rows = octets = 0
        works = ((Work(question, part), part) for part in sources.slices(batch_size))
        for array, read, source in in_order(_run, works, threads):
            rows += len(array)
            octets += read
            if progress is not None:
                progress(rows, octets)
            array = array if parts is None else parts.complete(array, source)
            yield with_kept(array, source) if sources.kept_schemas() else array


def _run(given: tuple[Work, Source]) -> tuple[Array, int, Source]:
    work, source = given
    return work.run(1), work.octets, source


def in_order(function: Callable[[Any], T], items: Iterable[Any], threads: int | None) -> Iterator[T]:
    """Yield function(item) for each item, in order. threads: the number of calls that may run at the same time; None:
    the number of processors."""
    from os import cpu_count

    threads = threads or cpu_count() or 1
    if threads == 1:
        yield from map(function, items)
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(threads) as pool:
        running: deque[Any] = deque()
        try:
            for item in items:
                running.append(pool.submit(function, item))
                if len(running) > threads:
                    yield running.popleft().result()
            while running:
                yield running.popleft().result()
        finally:
            for task in running:
                task.cancel()


# --- keys, sites, parameters -------------------------------------------------------------------


def canonicalize(
    column: Any, profile: str | Profile = DEFAULT_PROFILE, *, layout: str | None = None, threads: int | None = 1
) -> Array | ChunkedArray:
    """Return the deduplication key of each URL, like `urlsm.crawler.canonicalize`.

    A row is null if the profile does not support the URL. Bytes that are not UTF-8 become U+FFFD.

    Args:
        column: an Arrow column of URLs, as in `parse`.
        profile: the name of a profile, or a Profile.
        layout: the layout of text in the result, as in `parse`.
        threads: the number of threads, as in `parse`.

    Raises:
        TypeError: `column` is not an Arrow column of text.
        ValueError: the profile or the layout does not exist.

    Example:
        >>> import pyarrow as pa, urlsm.columns as uc
        >>> uc.canonicalize(pa.array(["HTTP://Ex.com/?b=2&a=1#top"])).to_pylist()
        ['http://ex.com/?a=1&b=2']
    """
    return answer_column(column, Question(("href",), single=True, profile=profile, layout=layout), threads)


def fingerprint(
    column: Any,
    profile: str | Profile = DEFAULT_PROFILE,
    *,
    kind: Literal["xxh64", "sha1", "blake2b-128"] = "xxh64",
    threads: int | None = 1,
) -> Array | ChunkedArray:
    """Return a hash of each URL's key, like `urlsm.crawler.fingerprint`.

    A site can hide pages from a crawler by choosing URLs whose xxh64 hashes are equal. Use "blake2b-128" where that
    matters. A row is null if the profile does not support the URL.

    Args:
        column: an Arrow column of URLs, as in `parse`.
        profile: the name of a profile, or a Profile.
        kind: "xxh64" (uint64), "sha1" (20 bytes) or "blake2b-128" (16 bytes).
        threads: the number of threads, as in `parse`.

    Raises:
        TypeError: `column` is not an Arrow column of text.
        ValueError: the profile or the kind does not exist.

    Example:
        >>> import pyarrow as pa, urlsm.columns as uc
        >>> uc.fingerprint(pa.array(["http://ex.com/#a", "http://ex.com/#b"])).to_pylist()
        [6576931133331164826, 6576931133331164826]
    """
    if kind not in KINDS:
        raise ValueError(f"unknown kind {kind!r}: the kinds are {', '.join(KINDS)}")
    return answer_column(column, Question((kind,), single=True, profile=profile), threads)


def surt(
    column: Any,
    profile: str | Profile = "surt",
    *,
    with_scheme: bool = False,
    trailing_comma: bool = False,
    layout: str | None = None,
    threads: int | None = 1,
) -> Array | ChunkedArray:
    """Return each URL as a SURT (Sort-friendly URI Reordering Transform), like `urlsm.crawler.surt`.

    Args:
        column: an Arrow column of URLs, as in `parse`.
        profile: the name of a profile, or a Profile.
        with_scheme: whether to keep the scheme: "http://(org,example)/".
        trailing_comma: whether to end the host with a comma: "org,example,)/".
        layout: the layout of text in the result, as in `parse`.
        threads: the number of threads, as in `parse`.

    Raises:
        TypeError: `column` is not an Arrow column of text.
        ValueError: the profile or the layout does not exist.

    Example:
        >>> import pyarrow as pa, urlsm.columns as uc
        >>> uc.surt(pa.array(["http://www.archive.org/about"])).to_pylist()
        ['org,archive)/about']

    https://github.com/internetarchive/surt
    """
    from urlsm.crawler.archives import profile_of

    return canonicalize(column, profile_of(profile, with_scheme, trailing_comma), layout=layout, threads=threads)


def registrable_domain(
    column: Any,
    *,
    only_icann: bool = False,
    accept_unknown: bool = True,
    suffix_list: PublicSuffixList | None = None,
    layout: str | None = None,
    threads: int | None = 1,
) -> Array | ChunkedArray:
    """Return the registrable domain (eTLD+1) of each URL or host.

    A row is null for an IP address, a host that is itself a public suffix, or an invalid URL.

    Args:
        column: an Arrow column of URLs, as in `parse`.
        only_icann: whether to use only the ICANN section of the list, without private suffixes such as "github.io".
        accept_unknown: whether a top-level domain that is not on the list counts as a public suffix.
        suffix_list: a public suffix list; None for the list in the installed publicsuffixlist package.
        layout: the layout of text in the result, as in `parse`.
        threads: the number of threads, as in `parse`.

    Raises:
        TypeError: `column` is not an Arrow column of text.
        ValueError: the layout does not exist.
        ModuleNotFoundError: `suffix_list` is None, and publicsuffixlist is not installed: pip install
            'urlsm[suffixes]'.

    Example:
        >>> import pyarrow as pa, urlsm.columns as uc
        >>> uc.registrable_domain(pa.array(["http://www.example.co.uk/", "co.uk"])).to_pylist()
        ['example.co.uk', None]

    https://publicsuffix.org/list/
    """
    return _end(column, "registrable_domain", only_icann, accept_unknown, suffix_list, layout, threads)


def public_suffix(
    column: Any,
    *,
    only_icann: bool = False,
    accept_unknown: bool = True,
    suffix_list: PublicSuffixList | None = None,
    layout: str | None = None,
    threads: int | None = 1,
) -> Array | ChunkedArray:
    """Return the public suffix (eTLD) of each URL or host. A host that is itself a public suffix is returned unchanged.

    A row is null for an IP address or an invalid URL.

    Args:
        column: an Arrow column of URLs, as in `parse`.
        only_icann: whether to use only the ICANN section of the list, without private suffixes such as "github.io".
        accept_unknown: whether a top-level domain that is not on the list counts as a public suffix.
        suffix_list: a public suffix list; None for the list in the installed publicsuffixlist package.
        layout: the layout of text in the result, as in `parse`.
        threads: the number of threads, as in `parse`.

    Raises:
        TypeError: `column` is not an Arrow column of text.
        ValueError: the layout does not exist.
        ModuleNotFoundError: `suffix_list` is None, and publicsuffixlist is not installed: pip install
            'urlsm[suffixes]'.

    Example:
        >>> import pyarrow as pa, urlsm.columns as uc
        >>> uc.public_suffix(pa.array(["http://me.github.io/", "co.uk"]), only_icann=True).to_pylist()
        ['io', 'co.uk']

    https://publicsuffix.org/list/
    """
    return _end(column, "public_suffix", only_icann, accept_unknown, suffix_list, layout, threads)


def _end(
    column: Any,
    field: str,
    only_icann: bool,
    accept_unknown: bool,
    suffix_list: PublicSuffixList | None,
    layout: str | None,
    threads: int | None,
) -> Array | ChunkedArray:
    for name, value in ("only_icann", only_icann), ("accept_unknown", accept_unknown):
        if not isinstance(value, bool):
            raise TypeError(f"{name} must be a bool, not {type(value).__name__}")
    fields = (f"icann_{field}" if only_icann else field,)
    question = Question(fields, single=True, suffixes=suffix_list, layout=layout)
    return answer_column(column, question.with_hosts(only_listed=not accept_unknown, bare=True), threads)


def query_param(column: Any, name: str, *, layout: str | None = None, threads: int | None = 1) -> Array | ChunkedArray:
    """Return the first value of a query parameter in each URL, decoded, like `URL.query_params`.

    A row is null if the URL is invalid or its query string does not contain the parameter.

    Args:
        column: an Arrow column of URLs, as in `parse`.
        name: the decoded name of the parameter. Case is ignored in mailto: and similar schemes.
        layout: the layout of text in the result, as in `parse`.
        threads: the number of threads, as in `parse`.

    Raises:
        TypeError: `column` is not an Arrow column of text, or `name` is not a str.
        ValueError: the layout does not exist.

    Example:
        >>> import pyarrow as pa, urlsm.columns as uc
        >>> uc.query_param(pa.array(["http://h/?q=a+b", "http://h/"]), "q").to_pylist()
        ['a b', None]

    https://url.spec.whatwg.org/#concept-urlencoded-parser
    """
    if not isinstance(name, str):
        raise TypeError(f"name must be str, not {type(name).__name__}")
    return answer_column(column, Question(("query_param",), single=True, layout=layout).with_param(name), threads)


def segments(column: Any, *, threads: int | None = 1) -> Array | ChunkedArray:
    """Return the decoded segments of each path as a list, like `URL.segments`.

    The list is empty for an opaque path, as in mailto: and data: URLs. Bytes that are not UTF-8 become U+FFFD. A row is
    null if the URL is invalid.

    Args:
        column: an Arrow column of URLs, as in `parse`.
        threads: the number of threads, as in `parse`.

    Raises:
        TypeError: `column` is not an Arrow column of text.

    Example:
        >>> import pyarrow as pa, urlsm.columns as uc
        >>> uc.segments(pa.array(["http://h/a%20b/c"])).to_pylist()
        [['a b', 'c']]

    https://url.spec.whatwg.org/#url-path
    """
    paths = answer_column(column, Question(("path",), single=True, layout="large_string"), threads)
    if isinstance(paths, Array):
        return segments_of_paths(paths)
    return ChunkedArray(map(segments_of_paths, paths), LIST)
