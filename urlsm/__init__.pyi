# The public names, for type checkers and editors. __init__.py has the module of each. Tests check that both files
# agree.

from urlsm import about as about
from urlsm import columns as columns
from urlsm import compat as compat
from urlsm import crawler as crawler
from urlsm import documents as documents
from urlsm import domains as domains
from urlsm import engines as engines
from urlsm import formats as formats
from urlsm import guard as guard
from urlsm import logging as logging
from urlsm import patterns as patterns
from urlsm import pictures as pictures
from urlsm import schemes as schemes
from urlsm import security as security
from urlsm import server as server
from urlsm import stdlib as stdlib
from urlsm import testing as testing
from urlsm import whatwg as whatwg
from urlsm.components.trace import Trace as Trace
from urlsm.components.trace import explain as explain
from urlsm.components.value import Components as Components
from urlsm.components.value import resolve as resolve
from urlsm.components.value import resolve_many as resolve_many
from urlsm.components.value import split as split
from urlsm.components.value import unsplit as unsplit
from urlsm.errors import ParseError as ParseError
from urlsm.errors import PluginError as PluginError
from urlsm.errors import SchemeError as SchemeError
from urlsm.errors.rules import Violation as Violation
from urlsm.meaning.iris import iri_to_uri as iri_to_uri
from urlsm.meaning.iris import uri_to_iri as uri_to_iri
from urlsm.meaning.questions import parts as parts
from urlsm.meaning.registry import handler as handler
from urlsm.meaning.registry import register as register
from urlsm.meaning.registry import unregister as unregister
from urlsm.meaning.web import equivalent as equivalent
from urlsm.meaning.web import normalize as normalize
from urlsm.meaning.web import validate as validate
from urlsm.patterns.errors import UnsafeValue as UnsafeValue
from urlsm.patterns.templates import Template as Template
from urlsm.url.params import QueryParams as QueryParams
from urlsm.url.value import URL as URL
from urlsm.url.value import can_parse as can_parse
from urlsm.url.value import parse as parse
from urlsm.url.value import try_parse as try_parse

__version__: str

def get_include() -> str: ...
