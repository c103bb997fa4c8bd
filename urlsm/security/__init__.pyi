# The public names, for type checkers and editors; __init__.py has the module of each.

from urlsm.security.addresses import AddressKind as AddressKind
from urlsm.security.comparison import ReaderComparison as ReaderComparison
from urlsm.security.comparison import Reading as Reading
from urlsm.security.comparison import compare_readers as compare_readers
from urlsm.security.comparison import is_ambiguous as is_ambiguous
from urlsm.security.git_urls import check_git_url as check_git_url
from urlsm.security.hazards import HAZARDS as HAZARDS
from urlsm.security.hazards import Hazard as Hazard
from urlsm.security.host_lists import HostEntryError as HostEntryError
from urlsm.security.ordinary import audit as audit
from urlsm.security.ordinary import is_safe_redirect as is_safe_redirect
from urlsm.security.plain import address_kind as address_kind
from urlsm.security.public import has_public_host as has_public_host
from urlsm.security.reader_list import ReaderInfo as ReaderInfo
from urlsm.security.reader_list import readers as readers
from urlsm.security.redirects import check_redirect as check_redirect
from urlsm.security.redirects import safe_join as safe_join
from urlsm.security.verdict import Verdict as Verdict
from urlsm.security.wire import SentRequest as SentRequest
from urlsm.security.wire import sent as sent

__all__ = [
    "HAZARDS",
    "AddressKind",
    "Hazard",
    "HostEntryError",
    "ReaderComparison",
    "ReaderInfo",
    "Reading",
    "SentRequest",
    "Verdict",
    "address_kind",
    "audit",
    "check_git_url",
    "check_redirect",
    "compare_readers",
    "has_public_host",
    "is_ambiguous",
    "is_safe_redirect",
    "readers",
    "safe_join",
    "sent",
]
