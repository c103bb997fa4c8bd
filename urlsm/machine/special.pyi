SCHEMES: tuple[str | None, ...]
SPECIAL: dict[str, int | None]

def special_kind(name: bytes, port: int, active: bool | None = None) -> int: ...
