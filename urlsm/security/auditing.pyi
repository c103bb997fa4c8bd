from collections.abc import Iterable

from urlsm.security.hazards import Hazard
from urlsm.url.value import StrOrURL

def audit(url: StrOrURL, *, readers: Iterable[str] | None = None) -> list[Hazard]: ...
