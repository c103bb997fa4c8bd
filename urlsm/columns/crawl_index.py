"""Makes the columns that Common Crawl's index has for each URL.

https://github.com/commoncrawl/cc-index-table/blob/main/src/main/resources/schema/cc-index-schema-flat.json
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from urlsm.columns.calls import check_threads
from urlsm.columns.names import HOSTS, INDEX, WRITTEN, Schema
from urlsm.columns.work import (
    Array,
    ChunkedArray,
    Question,
    Source,
    Sources,
    Work,
    as_text,
    ports_of,
    source_of,
    struct_of,
    type_of,
)
from urlsm.components.value import dialect_number

if TYPE_CHECKING:
    from urlsm.crawler.sites import PublicSuffixList


def commoncrawl(
    column: Any, *, suffix_list: PublicSuffixList | None = None, layout: str | None = None, threads: int | None = 1
) -> Array | ChunkedArray:
    """Return a struct of the sixteen columns that Common Crawl's index has for each URL, besides the URL itself. They
    have the index's names, order and types (url_port is int32, all others are text).

    url_surtkey is the key under the profile "commoncrawl". url_host_name, url_host_name_reversed and the columns with
    the host's last labels, suffixes and domains come from the host in ASCII without a dot at its end; for an IP
    address, only url_host_name is set. url_host_registry_suffix and url_host_registered_domain use the ICANN section of
    the public suffix list; url_host_private_suffix and url_host_private_domain use the whole list. All four are null if
    the top-level domain is not on the list. url_port, url_path and url_query are as written in the URL.

    Args: suffix_list: as for registrable_domain; column, layout, threads: as for parse.

    A row is null where the URL is null or refused. Raises: the errors of registrable_domain.

    https://github.com/commoncrawl/cc-index-table
    """
    check_threads(threads)
    given = source_of(column)
    written = dialect_number("whatwg")
    questions = (
        Question(("href",), single=True, profile="commoncrawl", layout=layout),
        Question(HOSTS.values(), suffixes=suffix_list, layout=layout).with_hosts(only_listed=True),
        Question(WRITTEN.values(), dialect=written, layout=layout),
    )
    if not isinstance(given, Sources):
        return _made(given, questions, threads)
    kind = type_of(given.text_schema())
    texts = questions[0].schema(kind if kind.dictionary is None else kind.dictionary).format
    schema = [Schema("i" if name == "url_port" else texts, name) for name in INDEX]
    return ChunkedArray([_made(part, questions, threads) for part in given], Schema("+s", "", tuple(schema)))


def _made(given: Source, questions: tuple[Question, Question, Question], threads: int | None) -> Array:
    source = as_text(given)
    keys, hosts, written = (Work(question, source).run(threads) for question in questions)
    port, *others = map(written.field, WRITTEN.values())
    columns = [keys, *map(hosts.field, HOSTS.values()), ports_of(port), *others]
    return struct_of(hosts, columns, INDEX)
