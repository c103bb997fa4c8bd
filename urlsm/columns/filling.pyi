from urlsm.columns.array import Array

def filled(
    given: Array,
    struct: Array,
    names: tuple[str, ...],
    literals: tuple[bytes, ...],
    decoded: bytes,
    quote: bytes,
    absent: bytes,
    hard: bytes,
) -> tuple[str, list[tuple[int, int]]]: ...
