from typing import NamedTuple, final

class Operator(NamedTuple):
    first: str
    separator: str
    named: bool
    if_empty: str
    reserved: bool
    stops: str

OPERATORS: dict[str, Operator]
FAULTS: tuple[tuple[str, str], ...]

@final
class Variable: ...

@final
class Expression: ...
