"""Special schemes: those of the URL Standard by name, and those registered."""
from libc.stdint cimport uint32_t
from libc.string cimport memcpy

# by SchemeKind
SCHEMES = (None, "http", "https", "ws", "wss", "ftp", "file")
# the URL Standard's special schemes and their default ports, None for null (#special-scheme)
SPECIAL = {name: listed_port(<SchemeKind>kind) or None for kind, name in enumerate(SCHEMES) if name}


def special_kind(bytes name not None, uint32_t port, active=None) -> int:
    """The kind of a special scheme beside those of the URL Standard: its place in the table.

    A row (name, default port, 0 for none) is never removed, so URLs that have the scheme keep their meaning. active:
    whether parsing treats it as special; None leaves that unchanged.

    Raises ValueError where the table is full, or the name too long for it.
    """
    global special_count, special_active
    cdef int k = 0
    while k < special_count and (special_schemes[k].name != name or special_schemes[k].port != port):
        k += 1
    if k == special_count:
        if k == MAX_SPECIAL:
            raise ValueError(f"cannot register more than {MAX_SPECIAL} special schemes")
        if not 0 < len(name) < MAX_SPECIAL_NAME:
            raise ValueError(f"a special scheme has 1 to {MAX_SPECIAL_NAME - 1} characters")
        memcpy(special_schemes[k].name, <const char*>name, len(name) + 1)
        special_schemes[k].n, special_schemes[k].port, special_schemes[k].active = len(name), port, False
        special_count += 1  # last: a parser that runs without the GIL sees it whole
    if active is not None and special_schemes[k].active != active:
        special_schemes[k].active = active
        special_active += 1 if active else -1
    return FILE + 1 + k
