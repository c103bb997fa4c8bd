# The public names, for type checkers and editors; __init__.py has the module of each.

from urlsm.formats.checks import FORMATS as FORMATS
from urlsm.formats.checks import Format as Format
from urlsm.formats.checks import check as check
from urlsm.formats.checks import install as install
from urlsm.formats.grammars import is_hostname as is_hostname
from urlsm.formats.grammars import is_idn_hostname as is_idn_hostname
from urlsm.formats.grammars import is_ipv4 as is_ipv4
from urlsm.formats.grammars import is_ipv6 as is_ipv6
from urlsm.formats.grammars import is_iri as is_iri
from urlsm.formats.grammars import is_iri_reference as is_iri_reference
from urlsm.formats.grammars import is_json_pointer as is_json_pointer
from urlsm.formats.grammars import is_relative_json_pointer as is_relative_json_pointer
from urlsm.formats.grammars import is_uri as is_uri
from urlsm.formats.grammars import is_uri_reference as is_uri_reference
from urlsm.formats.grammars import is_uri_template as is_uri_template

__all__ = [
    "FORMATS",
    "Format",
    "check",
    "install",
    "is_hostname",
    "is_idn_hostname",
    "is_ipv4",
    "is_ipv6",
    "is_iri",
    "is_iri_reference",
    "is_json_pointer",
    "is_relative_json_pointer",
    "is_uri",
    "is_uri_reference",
    "is_uri_template",
]
