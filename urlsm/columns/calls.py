"""The functions of columns, each in one trip over the column."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from urlsm.columns.names import FIELDS, FIVE, LIST, OF_PARTS, SPANS, Schema, check_fields
from urlsm.columns.work import (
    Array,
    Chunked,
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
    from urlsm.crawler.sites import Suffixes
    from urlsm.url.value import StrOrURL

T = TypeVar("T")

DEFAULT_BATCH = 32768  # rows that fit the caches, and that most engines pass
MAX_THREADS = 256
KINDS = ("hash64", "sha1", "blake2b-128")  # of fingerprints


def check_threads(threads: int | None) -> int | None:
    if threads is not None and (isinstance(threads, bool) or not isinstance(threads, int)):
        raise TypeError(f"threads must be an int or None, not {type(threads).__name__}")
    if threads is not None and not 1 <= threads <= MAX_THREADS:
        raise ValueError(f"threads must be from 1 to {MAX_THREADS}, or None for one per processor")
    return threads


def answer_column(
    column: Any, question: Question, threads: int | None, parts: SchemeParts | None = None
) -> Array | Chunked:
    """Return the answer for each array of the column. parts: the parts of schemes among the fields."""
    check_threads(threads)

    def answer(source: Source) -> Array:
        made = Work(question, source).run(threads)
        return made if parts is None else parts.complete(made, source)

    source = source_of(column)
    if not isinstance(source, Sources):
        return answer(source)
    schema = question.schema(type_of(source.text_schema()))
    return Chunked([answer(chunk) for chunk in source], schema if parts is None else parts.schema(schema))


def _base(base: Any) -> URL | None:
    return base if base is None or isinstance(base, URL) else parse_url(base)


def _split_fields(fields: Sequence[str]) -> tuple[Iterable[str], SchemeParts | None]:
    """Return the fields that C makes, and what adds the requested parts of schemes to them."""
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
    text: str | None = None,
    threads: int | None = 1,
) -> Array | Chunked:
    """Return the fields of each URL as a struct column, by the URL Standard: row by row as urlsm.try_parse.

    Args:
        column: an Arrow column of utf8, large_utf8, string_view, a binary kind (read as UTF-8) or a dictionary of
            these: any object with __arrow_c_array__ (pyarrow.Array) or __arrow_c_stream__ (pyarrow.ChunkedArray,
            polars.Series, pandas.Series).
        fields: scheme, username, password, host, port (uint16), path, query, fragment, href, authority, origin; site
            and suffix (by the public suffix list), icann_site and icann_suffix (by its ICANN section); valid (bool);
            error (the code of the violation, a dictionary) and error_at (int32, an octet of the text). And "parts."
            with the name of a part: a text, as URL.parts has it, or JSON of a part that is not a text; the key of a
            store is that of the row's own text. Null where the scheme has no such part, or its handler refuses the URL.
            These take the interpreter's lock.
        base: the URL that relative references are resolved against.
        text: the layout of the texts in the answer: "string", "large_string" or "view", which points into the
            column's own buffers instead of copying. None: that of the column.
        threads: the number of threads; None: one for each 65,536 rows, up to the number of processors.

    A null row is null. A text that is refused is null in each field except error, error_at and valid; the struct is
    null where the row is null or refused, unless one of those three is requested. An absent component is null. A
    connection to a database that the parser refuses and its handler reads ("kafka://a:1,b:2", "oracle+cx_oracle://h",
    see Contract.takes_texts) has its components as written: host and port only if it has one host. valid is false.

    Raises:
        TypeError: column is not an Arrow column, or has another type. ValueError: an unknown field or layout.
        ParseError: base does not parse. OverflowError: more than 2 GiB of text for utf8. PluginError: the plug-in of a
            scheme whose parts are parts for failed to load.

    https://url.spec.whatwg.org/#concept-basic-url-parser
    """
    plain, parts = _split_fields(fields)
    return answer_column(column, Question(plain, base=_base(base), text=text), threads, parts)


def host(column: Any, *, text: str | None = None, threads: int | None = 1) -> Array | Chunked:
    """Return the serialised host of each URL, as URL.host: null where the URL has no host, or the text is refused.

    Args and errors: as parse. https://url.spec.whatwg.org/#concept-url-host
    """
    return answer_column(column, Question(("host",), single=True, text=text), threads)


def href(column: Any, *, text: str | None = None, threads: int | None = 1) -> Array | Chunked:
    """Return each URL in the URL Standard's normal form, as URL.href; null where the text is refused.

    Args and errors: as parse. https://url.spec.whatwg.org/#concept-url-serializer
    """
    return answer_column(column, Question(("href",), single=True, text=text), threads)


def valid(column: Any, *, threads: int | None = 1) -> Array | Chunked:
    """Return whether parse would accept each text, as urlsm.can_parse: a column of bool, null where the row is null.

    Args and errors: as parse. https://url.spec.whatwg.org/#dom-url-canparse
    """
    return answer_column(column, Question(("valid",), single=True), threads)


def split(
    column: Any,
    dialect: str = "whatwg",
    *,
    fields: Sequence[str] = ("scheme", "authority", "path", "query", "fragment"),
    text: str | None = None,
    threads: int | None = 1,
) -> Array | Chunked:
    """Return the components that a dialect finds in each text, as written, as urlsm.split. With views, only texts with
    tabs or newlines that the dialect removes are copied. Binary stays binary.

    Args:
        dialect: "whatwg", "rfc3986", "rfc2396", "rfc1738", "barth" or "stdlib". fields: scheme, authority, userinfo,
            username, password, host, port, path, query, fragment; each a text. The others: as parse.

    A null row is null, and so is a text that the dialect's split refuses (only "barth" does).

    Raises: as parse; ValueError: an unknown dialect.
    """
    question = Question(check_fields(fields, SPANS), dialect=dialect_number(dialect), text=text)
    return answer_column(column, question, threads)


def resolve(base: Any, column: Any, *, text: str | None = None, threads: int | None = 1) -> Array | Chunked:
    """Resolve each reference against a base, as URL.join: a column of the URLs' texts.

    Args:
        base: a URL, or a column of one for each row. column, text, threads: as parse.

    Null where the reference, or its base, is null or refused.

    Raises:
        ParseError: base is a text, and does not parse. ValueError: two columns of different lengths. As parse.

    https://url.spec.whatwg.org/#concept-basic-url-parser
    """
    if isinstance(base, (str, bytes, URL)):
        return answer_column(column, Question(("href",), single=True, base=_base(base), text=text), threads)
    question = Question(("href",), single=True, text=text)
    check_threads(threads)
    references, bases = source_of(column), source_of(base)
    if not isinstance(references, Sources) and not isinstance(bases, Sources):
        if len(references) != len(bases):
            raise ValueError(f"{len(bases)} bases for {len(references)} references")
        return Work(question, references, bases).run(threads)
    pairs = slices(references, bases)
    given = type_of(references.text_schema()) if isinstance(references, Sources) else references.schema
    values = given if given.dictionary is None else given.dictionary
    return Chunked([Work(question, part, its).run(threads) for part, its in pairs], question.schema(values))


def stream(
    reader: Any,
    fields: Sequence[str] = FIVE,
    *,
    column: str | None = None,
    base: StrOrURL | None = None,
    text: str | None = None,
    threads: int | None = None,
    batch_rows: int = DEFAULT_BATCH,
    progress: Callable[[int, int], object] | None = None,
) -> Stream:
    """Run parse batch by batch, in constant memory: an iterator of struct columns, which is also an Arrow stream.

    Args:
        reader: an object with __arrow_c_stream__ (pyarrow.RecordBatchReader, a DuckDB result), of texts; or of record
            batches, with column, the name of the one to read. It is used up.
        threads: the number of batches processed at a time; None: the number of processors.
        batch_rows: the most rows at a time.
        progress: called with the rows and octets done so far, after each batch.
        fields, base, text: as parse.

    Raises: as parse, when it is called or iterated; OSError: the reader failed. KeyError: the data have no such column.
    """
    plain, parts = _split_fields(fields)
    question = Question(plain, base=_base(base), text=text)
    if isinstance(batch_rows, bool) or not isinstance(batch_rows, int) or batch_rows < 1:
        raise ValueError("batch_rows must be an int of at least 1")
    return Stream(sources_of(reader, column), question, parts, check_threads(threads), batch_rows, progress)


class Stream:
    """The batches that stream returns: iterate over them once, or hand this to a library that reads Arrow streams."""

    def __init__(
        self,
        sources: Sources,
        question: Question,
        parts: SchemeParts | None,
        threads: int | None,
        batch_rows: int,
        progress: Callable[[int, int], object] | None,
    ) -> None:
        schema = question.schema(type_of(sources.text_schema()))
        self.schema: Schema = schema if parts is None else parts.schema(schema)
        self._batches = self._run_all(sources, question, parts, threads, batch_rows, progress)

    def __iter__(self) -> Iterator[Array]:
        return self._batches

    def __next__(self) -> Array:
        return next(self._batches)

    def __arrow_c_schema__(self) -> object:
        return Chunked([], self.schema).__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return Chunked.stream_of(self._batches, self.schema, requested_schema)

    @staticmethod
    def _run_all(
        sources: Sources,
        question: Question,
        parts: SchemeParts | None,
        threads: int | None,
        batch_rows: int,
        progress: Callable[[int, int], object] | None,
    ) -> Iterator[Array]:
        rows = octets = 0
        works = ((Work(question, part), part) for part in sources.slices(batch_rows))
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
    """Yield function(item) in order, with at most `threads` calls in flight; None: the number of processors."""
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
    column: Any, profile: str | Profile = DEFAULT_PROFILE, *, text: str | None = None, threads: int | None = 1
) -> Array | Chunked:
    """Return the key of each text under a profile, as urlsm.crawler.canonicalize; null where the profile refuses the
    text.

    Args:
        profile: the name of one, or a Profile. column, text, threads: as parse. Octets that are not UTF-8, in a text
            or a key, become U+FFFD.

    Raises: as parse; ValueError: no such profile.
    """
    return answer_column(column, Question(("href",), single=True, profile=profile, text=text), threads)


def fingerprint(
    column: Any,
    profile: str | Profile = DEFAULT_PROFILE,
    *,
    kind: Literal["hash64", "sha1", "blake2b-128"] = "hash64",
    threads: int | None = 1,
) -> Array | Chunked:
    """Return the fingerprint of each text's key, as urlsm.crawler.fingerprint, whose kinds "hash64" (uint64, XXH64),
    "sha1" (20 octets, fixed-size binary) and "blake2b-128" (16 octets) these are; null where the profile refuses the
    text.

    Args: profile, column, threads: as canonicalize. kind: one of the three.

    XXH64 has no key: a site can choose URLs whose hashes are equal, and so hide pages. Where that matters, take
    "blake2b-128".

    Raises: as canonicalize; ValueError: no such kind.
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
    text: str | None = None,
    threads: int | None = 1,
) -> Array | Chunked:
    """Return each URL's key in Sort-friendly URI Reordering Transform, as urlsm.crawler.surt: "org,archive)/about".

    Args: profile, with_scheme, trailing_comma: as urlsm.crawler.surt; the others, and errors: as canonicalize.

    https://github.com/internetarchive/surt
    """
    from urlsm.crawler.archives import profile_of

    return canonicalize(column, profile_of(profile, with_scheme, trailing_comma), text=text, threads=threads)


def registrable_domain(
    column: Any,
    *,
    private: bool = True,
    unknown: Literal["rule", "null"] = "rule",
    suffixes: Suffixes | None = None,
    text: str | None = None,
    threads: int | None = 1,
) -> Array | Chunked:
    """Return the registrable domain ("example.co.uk") of each URL or host, as urlsm.crawler.registrable_domain.

    Args:
        private: suffixes of companies count too ("github.io"). unknown: a top-level domain that the list does not know
            is a suffix ("rule"), or not ("null"). suffixes: a list of urlsm.crawler.suffixes; None: that of the
            installed publicsuffixlist. The others: as parse.

    Null for a public suffix itself, an address, and a text that is neither a URL nor a host.

    Raises: as parse; ModuleNotFoundError: publicsuffixlist is not installed.

    https://publicsuffix.org/list/
    """
    return _end(column, "site" if private else "icann_site", unknown, suffixes, text, threads)


def public_suffix(
    column: Any,
    *,
    private: bool = True,
    unknown: Literal["rule", "null"] = "rule",
    suffixes: Suffixes | None = None,
    text: str | None = None,
    threads: int | None = 1,
) -> Array | Chunked:
    """Return the public suffix ("co.uk") of each URL or host, as urlsm.crawler.public_suffix.

    Args, nulls and errors: as registrable_domain; a public suffix is its own. https://publicsuffix.org/list/
    """
    return _end(column, "suffix" if private else "icann_suffix", unknown, suffixes, text, threads)


def _end(
    column: Any, field: str, unknown: str, suffixes: Suffixes | None, text: str | None, threads: int | None
) -> Array | Chunked:
    from urlsm.crawler.sites import only_listed

    listed = only_listed(unknown)
    question = Question((field,), single=True, suffixes=suffixes, text=text)
    return answer_column(column, question.with_hosts(only_listed=listed, bare=True), threads)


def query_param(column: Any, name: str, *, text: str | None = None, threads: int | None = 1) -> Array | Chunked:
    """Return the first value of each URL's query parameter, decoded as by URL.query_params: "" where it is empty, null
    where it is absent or the text is refused.

    Args: name: the name of the parameter, decoded. The others, and errors: as parse.

    https://url.spec.whatwg.org/#concept-urlencoded-parser
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of a parameter must be a str, not {type(name).__name__}")
    return answer_column(column, Question(("param",), single=True, text=text).with_param(name), threads)


def segments(column: Any, *, threads: int | None = 1) -> Array | Chunked:
    """Return the percent-decoded segments of each URL's path, as URL.segments: a list of utf8, empty for an opaque
    path, null where the text is refused. Octets that are not UTF-8 become U+FFFD.

    Args and errors: as parse. https://url.spec.whatwg.org/#url-path
    """
    paths = answer_column(column, Question(("path",), single=True, text="large_string"), threads)
    if isinstance(paths, Array):
        return segments_of_paths(paths)
    return Chunked(map(segments_of_paths, paths), LIST)
