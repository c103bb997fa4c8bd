from typing import final

from urlsm.url import StrOrURL

@final
class Octets:  # of C alone: has nothing that Python sees
    ...

def positions(given: StrOrURL, removed_from: int = -1) -> list[int]: ...
def position_of(given: StrOrURL, octet: int, removed_from: int = -1) -> int: ...
