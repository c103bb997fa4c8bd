from collections.abc import Iterable

from urlsm.patterns.sets import PatternSet
from urlsm.security.hazards import Hazard
from urlsm.url.value import StrOrURL

def audit(
    url: StrOrURL, *, readers: Iterable[str] | None = None, hops: Iterable[str] | None = None
) -> list[Hazard]: ...
def is_safe_redirect(
    target: StrOrURL,
    *,
    base: StrOrURL,
    allowed_hosts: Iterable[str] | PatternSet = (),
    readers: Iterable[str] | None = None,
) -> bool: ...
