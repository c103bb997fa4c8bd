"""The functions for columns."""

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

DEFAULT_BATCH = 32768  # batches of this many rows fit the CPU's caches, and most engines pass such batches
MAX_THREADS = 256
KINDS = ("hash64", "sha1", "blake2b-128")  # the kinds of fingerprints


def check_threads(threads: int | None) -> int | None:
    if threads is not None and (isinstance(threads, bool) or not isinstance(threads, int)):
        raise TypeError(f"threads must be an int or None, not {type(threads).__name__}")
    if threads is not None and not 1 <= threads <= MAX_THREADS:
        raise ValueError(f"threads must be from 1 to {MAX_THREADS}, or None for one per processor")
    return threads


def answer_column(
    column: Any, question: Question, threads: int | None, parts: SchemeParts | None = None
) -> Array | Chunked:
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
    return Chunked([answer(chunk) for chunk in source], schema if parts is None else parts.schema(schema))


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
    text: str | None = None,
    threads: int | None = 1,
) -> Array | Chunked:
    """Return the fields of each URL as a struct column, by the URL Standard. Each row is as urlsm.try_parse reads it.

    Args:
        column: an Arrow column of utf8, large_utf8, string_view, a binary kind (read as UTF-8) or a dictionary of
            these: any object with __arrow_c_array__, such as a pyarrow.Array, or __arrow_c_stream__, such as a
            pyarrow.ChunkedArray, polars.Series or pandas.Series.
        fields: scheme, username, password, host, port (uint16), path, query, fragment, href, authority, origin; site
            and suffix (by the public suffix list), icann_site and icann_suffix (by the list's ICANN section); valid
            (bool); error (the code of the violation, as a dictionary) and error_at (int32, the index of the octet where
            the violation is). A field may also be "parts." and the name of a part in URL.parts. A part that is a text
            is given as this text, any other part as JSON. The key of an object in a store is read from the text as
            written, not from the normal form. A part is null if the scheme has no such part, or if the scheme's handler
            refuses the URL. Parts take the interpreter's lock.
        base: the URL that relative references are resolved against.
        text: the layout of the texts in the answer: "string", "large_string", or "view", in which texts that need no
            change are not copied, but point into the column's own buffers. None: the layout of the column.
        threads: the number of threads; None: one for each 65,536 rows, up to the number of processors.

    A row that is null stays null. For a text that is refused, each field except error, error_at and valid is null; the
    struct is null as well, unless one of these three fields is requested. An absent component is null. Some texts that
    the parser refuses are connections to databases that a handler can read ("kafka://a:1,b:2", "oracle+cx_oracle://h",
    see Contract.takes_texts). Their rows have the components as written (host and port only if there is one host), and
    valid is false.

    Raises:
        TypeError: column is not an Arrow column, or not of these types. ValueError: an unknown field or layout.
        ParseError: base does not parse. OverflowError: more than 2 GiB of text for utf8. PluginError: parts are
            requested, and the plug-in of a scheme failed to load.

    https://url.spec.whatwg.org/#concept-basic-url-parser
    """
    plain, parts = _split_fields(fields)
    return answer_column(column, Question(plain, base=_base(base), text=text), threads, parts)


def host(column: Any, *, text: str | None = None, threads: int | None = 1) -> Array | Chunked:
    """Return the serialised host of each URL, like URL.host; null if the URL has no host, or the text is refused.

    The arguments and errors are those of parse. https://url.spec.whatwg.org/#concept-url-host
    """
    return answer_column(column, Question(("host",), single=True, text=text), threads)


def href(column: Any, *, text: str | None = None, threads: int | None = 1) -> Array | Chunked:
    """Return each URL in the URL Standard's normal form, like URL.href; null if the text is refused.

    The arguments and errors are those of parse. https://url.spec.whatwg.org/#concept-url-serializer
    """
    return answer_column(column, Question(("href",), single=True, text=text), threads)


def valid(column: Any, *, threads: int | None = 1) -> Array | Chunked:
    """Return whether parse would accept each text, like urlsm.can_parse: a column of bool, null where the row is null.

    The arguments and errors are those of parse. https://url.spec.whatwg.org/#dom-url-canparse
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
    """Return the components that a dialect finds in each text, as written, like urlsm.split. If the answer is in views,
    no texts are copied, except texts with tabs or newlines that the dialect removes. Binary columns stay binary.

    Args:
        dialect: "whatwg", "rfc3986", "rfc2396", "rfc1738", "barth" or "stdlib". fields: scheme, authority, userinfo,
            username, password, host, port, path, query, fragment; each a text. The other arguments are those of parse.

    The answer is null where the row is null, or where the dialect refuses to split the text (only "barth" does that).

    Raises: the errors of parse. ValueError: also for an unknown dialect.
    """
    question = Question(check_fields(fields, SPANS), dialect=dialect_number(dialect), text=text)
    return answer_column(column, question, threads)


def resolve(base: Any, column: Any, *, text: str | None = None, threads: int | None = 1) -> Array | Chunked:
    """Resolve each reference against a base, like URL.join. Returns a column with the URLs as texts.

    Args:
        base: a URL, or a column with a base for each row. column, text, threads: as for parse.

    A row is null if the reference or its base is null or refused.

    Raises:
        ParseError: base is a text that does not parse. ValueError: the column of bases has another length than the
            column of references. The other errors are those of parse.

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
    """Run parse batch by batch, in constant memory. Returns an iterator of struct columns, which is also an Arrow
    stream.

    Args:
        reader: an object with __arrow_c_stream__, such as a pyarrow.RecordBatchReader or a DuckDB result. It yields
            texts or record batches. The iteration exhausts it.
        column: the name of the column to read, if the reader yields record batches.
        threads: the number of batches processed at a time; None: the number of processors.
        batch_rows: the largest number of rows in a batch.
        progress: called after each batch, with the numbers of rows and octets done so far.
        fields, base, text: as for parse.

    Raises: the errors of parse, in the call or during the iteration. OSError: the reader failed. KeyError: the data
    have no such column.
    """
    plain, parts = _split_fields(fields)
    question = Question(plain, base=_base(base), text=text)
    if isinstance(batch_rows, bool) or not isinstance(batch_rows, int) or batch_rows < 1:
        raise ValueError("batch_rows must be an int of at least 1")
    return Stream(sources_of(reader, column), question, parts, check_threads(threads), batch_rows, progress)


class Stream:
    """The result of stream(): batches of rows. Iterate over them once, or pass this object to a library that reads
    Arrow streams."""

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
    column: Any, profile: str | Profile = DEFAULT_PROFILE, *, text: str | None = None, threads: int | None = 1
) -> Array | Chunked:
    """Return the key of each text under a profile, like urlsm.crawler.canonicalize; null if the profile refuses the
    text.

    Args:
        profile: the name of a profile, or a Profile. column, text, threads: as for parse.

    In a text or a key, octets that are not UTF-8 become U+FFFD.

    Raises: the errors of parse. ValueError: also if there is no such profile.
    """
    return answer_column(column, Question(("href",), single=True, profile=profile, text=text), threads)


def fingerprint(
    column: Any,
    profile: str | Profile = DEFAULT_PROFILE,
    *,
    kind: Literal["hash64", "sha1", "blake2b-128"] = "hash64",
    threads: int | None = 1,
) -> Array | Chunked:
    """Return the fingerprint of each text, a hash of its key, like urlsm.crawler.fingerprint; null if the profile
    refuses the text. The kinds are "hash64" (uint64, XXH64), "sha1" (20 octets, fixed-size binary) and "blake2b-128"
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
    text: str | None = None,
    threads: int | None = 1,
) -> Array | Chunked:
    """Return each URL's key in Sort-friendly URI Reordering Transform, like urlsm.crawler.surt: "org,archive)/about".

    The arguments profile, with_scheme and trailing_comma are those of urlsm.crawler.surt; the other arguments and the
    errors are those of canonicalize.

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
    """Return the registrable domain ("example.co.uk") of each URL or host, like urlsm.crawler.registrable_domain.

    Args:
        private: True: suffixes of companies ("github.io") also count; False: only suffixes of the list's ICANN section
            count. unknown: whether a top-level domain that is not on the list is a suffix ("rule") or not ("null").
            suffixes: a list from urlsm.crawler.suffixes; None: the list of the installed publicsuffixlist. The other
            arguments are those of parse.

    The answer is null for a host that is a public suffix or has none, for an IP address, and for a text that is neither
    a URL nor a host.

    Raises: the errors of parse. ModuleNotFoundError: publicsuffixlist is not installed.

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
    """Return the public suffix ("co.uk") of each URL or host, like urlsm.crawler.public_suffix. A host that is a public
    suffix is its own suffix.

    For the arguments, errors and other nulls, see registrable_domain. https://publicsuffix.org/list/
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
    """Return the first value of this query parameter in each URL, decoded as by URL.query_params. The answer is null if
    the parameter is absent or the text is refused.

    Args: name: the decoded name of the parameter; in schemes that ignore the case of names (mailto), its case does not
    matter. The other arguments and the errors are those of parse.

    https://url.spec.whatwg.org/#concept-urlencoded-parser
    """
    if not isinstance(name, str):
        raise TypeError(f"the name of a parameter must be a str, not {type(name).__name__}")
    return answer_column(column, Question(("param",), single=True, text=text).with_param(name), threads)


def segments(column: Any, *, threads: int | None = 1) -> Array | Chunked:
    """Return the percent-decoded segments of each URL's path, like URL.segments. The answer is a list of utf8, which is
    empty for an opaque path, and null if the text is refused. Octets that are not UTF-8 become U+FFFD.

    The arguments and errors are those of parse. https://url.spec.whatwg.org/#url-path
    """
    paths = answer_column(column, Question(("path",), single=True, text="large_string"), threads)
    if isinstance(paths, Array):
        return segments_of_paths(paths)
    return Chunked(map(segments_of_paths, paths), LIST)
