"""Makes the columns that Common Crawl's index has for each URL.

https://github.com/commoncrawl/cc-index-table/blob/main/src/main/resources/schema/cc-index-schema-flat.json
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from urlsm.columns.calls import check_threads
from urlsm.columns.names import Schema
from urlsm.columns.work import (
    Array,
    Chunked,
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
    from urlsm.crawler.sites import Suffixes

HOSTS = {  # maps the index's name of a column to our field
    "url_host_name": "name",
    "url_host_tld": "label1",
    "url_host_2nd_last_part": "label2",
    "url_host_3rd_last_part": "label3",
    "url_host_4th_last_part": "label4",
    "url_host_5th_last_part": "label5",
    "url_host_registry_suffix": "icann_suffix",
    "url_host_registered_domain": "icann_site",
    "url_host_private_suffix": "suffix",
    "url_host_private_domain": "site",
    "url_host_name_reversed": "reversed",
    "url_protocol": "scheme",
}
# maps the index's name of a column to our field, for components of the URL as written, not normalised
WRITTEN = {"url_port": "port", "url_path": "path", "url_query": "query"}
NAMES = ("url_surtkey", *HOSTS, *WRITTEN)


def commoncrawl(
    column: Any, *, suffixes: Suffixes | None = None, text: str | None = None, threads: int | None = 1
) -> Array | Chunked:
    """Return a struct of the sixteen columns that Common Crawl's index has for each URL, besides the URL itself. They
    have the index's names, order and types (url_port is int32, all others are text).

    url_surtkey is the key under the profile "commoncrawl". url_host_name, url_host_name_reversed and the columns with
    the host's last labels, suffixes and domains come from the host in ASCII without a dot at its end; for an IP
    address, only url_host_name is set. url_host_registry_suffix and url_host_registered_domain use the ICANN section of
    the public suffix list; url_host_private_suffix and url_host_private_domain use the whole list. All four are null if
    the top-level domain is not on the list. url_port, url_path and url_query are as written in the URL.

    Args: suffixes: as for registrable_domain; column, text, threads: as for parse.

    A row is null where the URL is null or refused. Raises: the errors of registrable_domain.

    https://github.com/commoncrawl/cc-index-table
    """
    check_threads(threads)
    given = source_of(column)
    written = dialect_number("whatwg")
    questions = (
        Question(("href",), single=True, profile="commoncrawl", text=text),
        Question(HOSTS.values(), suffixes=suffixes, text=text).with_hosts(only_listed=True),
        Question(WRITTEN.values(), dialect=written, text=text),
    )
    if not isinstance(given, Sources):
        return _made(given, questions, threads)
    kind = type_of(given.text_schema())
    texts = questions[0].schema(kind if kind.dictionary is None else kind.dictionary).format
    schema = [Schema("i" if name == "url_port" else texts, name) for name in NAMES]
    return Chunked([_made(part, questions, threads) for part in given], Schema("+s", "", tuple(schema)))


def _made(given: Source, questions: tuple[Question, Question, Question], threads: int | None) -> Array:
    source = as_text(given)
    keys, hosts, written = (Work(question, source).run(threads) for question in questions)
    port, *others = map(written.field, WRITTEN.values())
    columns = [keys, *map(hosts.field, HOSTS.values()), ports_of(port), *others]
    return struct_of(hosts, columns, NAMES)
