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
)
from urlsm.components.value import dialect_number
from urlsm.crawler.profiles import DEFAULT_PROFILE
from urlsm.url.value import URL
from urlsm.url.value import parse as parse_url

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
        raise TypeError(f"threads must be an int or None, not {type(threads).__name__}")
    if threads is not None and not 1 <= threads <= MAX_THREADS:
        raise ValueError(f"threads must be from 1 to {MAX_THREADS}, or None for one per processor")
    return threads


def answer_column(
    column: Any, question: Question, threads: int | None, parts: SchemeParts | None = None
) -> Array | ChunkedArray:
    """Return the answer to a question for each array of the column. parts: an object that adds the requested parts of
    schemes; None if no parts are requested."""
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
    return base if base is None or isinstance(base, URL) else parse_url(base)


def _split_fields(fields: Sequence[str]) -> tuple[Iterable[str], SchemeParts | None]:
    """Return the fields that C makes, and an object that adds the requested parts of schemes to these fields (None if
    no parts are requested)."""
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
    """Return the fields of each URL as a struct column, by the URL Standard. Each row is as urlsm.try_parse reads it.

    Args:
        column: an Arrow column of utf8, large_utf8, string_view, a binary kind (read as UTF-8) or a dictionary of
            these: any object with __arrow_c_array__, such as a pyarrow.Array, or __arrow_c_stream__, such as a
            pyarrow.ChunkedArrayArray, polars.Series or pandas.Series.
        fields: the fields to return: any of urlsm.columns.FIELDS. A field may also be "parts." and the name of a part
            in URL.parts.
        base: the URL that relative references are resolved against.
        layout: the layout of the texts in the answer: "string", "large_string", or "view", in which texts that need no
            change are not copied, but point into the column's own buffers. None: the layout of the column.
        threads: the number of threads; None: one for each 65,536 rows, up to the number of processors.

    An invalid URL is null, unless one of the fields is error_code, error_position or can_parse.

    Raises:
        TypeError: column is not an Arrow column, or not of these types. ValueError: an unknown field or layout.
        ParseError: base does not parse. OverflowError: more than 2 GiB of text for utf8. PluginError: parts are
            requested, and the plug-in of a scheme failed to load.

    https://url.spec.whatwg.org/#concept-basic-url-parser
    """
    plain, parts = _split_fields(fields)
    return answer_column(column, Question(plain, base=_base(base), layout=layout), threads, parts)


class _Text(Protocol):
    """The type of a function for one field of text."""

    def __call__(self, column: Any, *, layout: str | None = None, threads: int | None = 1) -> Array | ChunkedArray: ...


def _text(name: str, what: str) -> _Text:
    """Return the function for a field of text. what: what the field is."""

    def function(column: Any, *, layout: str | None = None, threads: int | None = 1) -> Array | ChunkedArray:
        return answer_column(column, Question((name,), single=True, layout=layout), threads)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""Return {what} of each URL, like URL.{name}; null if it is absent or the URL is invalid.

    The arguments and errors are those of parse.
    """
    return function


scheme = _text("scheme", "the scheme")
username = _text("username", "the username, percent-encoded,")
password = _text("password", "the password, percent-encoded,")
host = _text("host", "the host")
path = _text("path", "the path")
query = _text("query", "the query string")
fragment = _text("fragment", "the fragment")
href = _text("href", "the normalised form")
authority = _text("authority", 'the authority ("user@host:port")')
origin = _text("origin", "the origin")


def port(column: Any, *, threads: int | None = 1) -> Array | ChunkedArray:
    """Return the port of each URL as uint16, like URL.port; null if it is absent, the scheme's default, or the URL is
    invalid.

    The arguments and errors are those of parse.
    """
    return answer_column(column, Question(("port",), single=True), threads)


def error_code(column: Any, *, threads: int | None = 1) -> Array | ChunkedArray:
    """Return why each invalid URL fails to parse, like ParseError.code: a dictionary column, null for valid URLs.

    The arguments and errors are those of parse.
    """
    return answer_column(column, Question(("error_code",), single=True), threads)


def error_position(column: Any, *, threads: int | None = 1) -> Array | ChunkedArray:
    """Return where each invalid URL fails to parse: a column of int32, the index of the byte; null for valid URLs.

    The arguments and errors are those of parse.
    """
    return answer_column(column, Question(("error_position",), single=True), threads)


def can_parse(column: Any, *, threads: int | None = 1) -> Array | ChunkedArray:
    """Return whether parse would accept each text, like urlsm.can_parse: a column of bool, null where the row is null.

    The arguments and errors are those of parse. https://url.spec.whatwg.org/#dom-url-canparse
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
    """Return the components that a dialect finds in each text, as written, like urlsm.split. If the answer is in views,
    no texts are copied, except texts with tabs or newlines that the dialect removes. Binary columns stay binary.

    Args:
        dialect: "whatwg", "rfc3986", "rfc2396", "rfc1738", "barth" or "stdlib". fields: scheme, authority, userinfo,
            username, password, host, port, path, query, fragment; each a text. The other arguments are those of parse.

    The answer is null where the row is null, or where the dialect refuses to split the text (only "barth" does that).

    Raises: the errors of parse. ValueError: also for an unknown dialect.
    """
    question = Question(check_fields(fields, SPANS), dialect=dialect_number(dialect), layout=layout)
    return answer_column(column, question, threads)


def resolve(column: Any, *, base: Any, layout: str | None = None, threads: int | None = 1) -> Array | ChunkedArray:
    """Resolve each reference against a base, like URL.join. Returns a column with the URLs as texts.

    Args:
        base: a URL, or a column with a base for each row. column, layout, threads: as for parse.

    A row is null if the reference or its base is null or refused.

    Raises:
        ParseError: base is a text that does not parse. ValueError: the column of bases has another length than the
            column of references. The other errors are those of parse.

    https://url.spec.whatwg.org/#concept-basic-url-parser
    """
    if isinstance(base, (str, bytes, URL)):
        return answer_column(column, Question(("href",), single=True, base=_base(base), layout=layout), threads)
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
    base: StrOrURL | None = None,
    layout: str | None = None,
    threads: int | None = 1,
    batch_size: int = DEFAULT_BATCH,
    progress: Callable[[int, int], object] | None = None,
) -> Stream:
    """Run parse batch by batch, in constant memory. Returns an iterator of struct columns, which is also an Arrow
    stream.

    Args:
        reader: an object with __arrow_c_stream__, such as a pyarrow.RecordBatchReader or a DuckDB result. It yields
            texts or record batches. The iteration exhausts it.
        column: the name of the column to read, if the reader yields record batches.
        threads: the number of batches processed at a time; None: the number of processors.
        batch_size: the largest number of rows in a batch.
        progress: called after each batch, with the numbers of rows and octets done so far.
        fields, base, layout: as for parse.

    Raises: the errors of parse, in the call or during the iteration. OSError: the reader failed. KeyError: the data
    have no such column.
    """
    plain, parts = _split_fields(fields)
    question = Question(plain, base=_base(base), layout=layout)
    if isinstance(batch_size, bool) or not isinstance(batch_size, int) or batch_size < 1:
        raise ValueError("batch_size must be an int of at least 1")
    return Stream(sources_of(reader, column), question, parts, check_threads(threads), batch_size, progress)


class Stream:
    """The batches of parse_stream. Iterate over them once, or pass them to a library that reads Arrow streams."""

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
        self.schema: Schema = schema if parts is None else parts.schema(schema)
        self._batches = self._run_all(sources, question, parts, threads, batch_size, progress)

    def __iter__(self) -> Iterator[Array]:
        return self._batches

    def __next__(self) -> Array:
        return next(self._batches)

    def __arrow_c_schema__(self) -> object:
        return ChunkedArray([], self.schema).__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return ChunkedArray.stream_of(self._batches, self.schema, requested_schema)

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
            yield array if parts is None else parts.complete(array, source)


def _run(given: tuple[Work, Source]) -> tuple[Array, int, Source]:
    work, source = given
    return work.run(1), work.octets, source


def in_order(function: Callable[[Any], T], items: Iterable[Any], threads: int | None) -> Iterator[T]:
    """Yield function(item) for each item, in order. threads: how many calls may run at a time; None: as many as there
    are processors."""
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
    """Return the key of each text under a profile, like urlsm.crawler.canonicalize; null if the profile refuses the
    text.

    Args:
        profile: the name of a profile, or a Profile. column, layout, threads: as for parse.

    In a text or a key, octets that are not UTF-8 become U+FFFD.

    Raises: the errors of parse. ValueError: also if there is no such profile.
    """
    return answer_column(column, Question(("href",), single=True, profile=profile, layout=layout), threads)


def fingerprint(
    column: Any,
    profile: str | Profile = DEFAULT_PROFILE,
    *,
    kind: Literal["xxh64", "sha1", "blake2b-128"] = "xxh64",
    threads: int | None = 1,
) -> Array | ChunkedArray:
    """Return the fingerprint of each text, a hash of its key, like urlsm.crawler.fingerprint; null if the profile
    refuses the text. The kinds are "xxh64" (uint64, XXH64), "sha1" (20 octets, fixed-size binary) and "blake2b-128"
    (16 octets).

    Args: profile, column, threads: as for canonicalize. kind: one of these three names.

    XXH64 has no secret key: a site can choose URLs whose hashes are equal, and so hide pages. If that matters, use
    "blake2b-128".

    Raises: the errors of canonicalize. ValueError: also if there is no such kind.
    """
    if kind not in KINDS:
        raise ValueError(f"unknown kind of fingerprint {kind!r}; those of columns are {', '.join(KINDS)}")
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
    """Return each URL's key in Sort-friendly URI Reordering Transform, like urlsm.crawler.surt: "org,archive)/about".

    The arguments profile, with_scheme and trailing_comma are those of urlsm.crawler.surt; the other arguments and the
    errors are those of canonicalize.

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
    """Return the registrable domain ("example.co.uk") of each URL or host, like urlsm.domains.registrable_domain.

    Args:
        only_icann: use only the list's ICANN section, without the suffixes of companies ("github.io").
        accept_unknown: whether a top-level domain that is not on the list is a public suffix.
        suffix_list: a public suffix list; None: the list of the installed publicsuffixlist.

    The answer is null for a host that is a public suffix or has none, for an IP address, and for a text that is neither
    a URL nor a host.

    Raises: the errors of parse. ModuleNotFoundError: publicsuffixlist is not installed.

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
    """Return the public suffix ("co.uk") of each URL or host, like urlsm.domains.public_suffix. A host that is a public
    suffix is its own suffix.

    For the arguments, errors and other nulls, see registrable_domain. https://publicsuffix.org/list/
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
    """Return the first value of this query parameter in each URL, decoded as by URL.query_params. The answer is null if
    the parameter is absent or the text is refused.

    Args: name: the decoded name of the parameter; in schemes that ignore the case of names (mailto), its case does not
    matter. The other arguments and the errors are those of parse.

    https://url.spec.whatwg.org/#concept-urlencoded-parser
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of a parameter must be a str, not {type(name).__name__}")
    return answer_column(column, Question(("query_param",), single=True, layout=layout).with_param(name), threads)


def segments(column: Any, *, threads: int | None = 1) -> Array | ChunkedArray:
    """Return the percent-decoded segments of each URL's path, like URL.segments. The answer is a list of utf8, which is
    empty for an opaque path, and null if the text is refused. Octets that are not UTF-8 become U+FFFD.

    The arguments and errors are those of parse. https://url.spec.whatwg.org/#url-path
    """
    paths = answer_column(column, Question(("path",), single=True, layout="large_string"), threads)
    if isinstance(paths, Array):
        return segments_of_paths(paths)
    return ChunkedArray(map(segments_of_paths, paths), LIST)
