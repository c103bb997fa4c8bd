"""Names of other libraries' URLs that URL does not have: getting one raises an AttributeError that says what does its
work here."""

MEANT = {  # yarl's, pathlib's, the browser's and urllib's
    "with_scheme": "replace(scheme=...)",
    "with_user": "replace(username=...)",
    "with_password": "replace(password=...)",
    "with_host": "replace(host=...)",
    "with_port": "replace(port=...)",
    "with_path": "replace(path=...)",
    "with_fragment": "replace(fragment=...)",
    "with_name": "join(name)",
    "joinpath": "/ segment",
    "build": "urlsm.handler(scheme).build(...)",
    "user": "username",
    "netloc": "authority",
    "hostname": "host",
    "protocol": "scheme",
    "pathname": "path",
    "search": "query",
    "hash": "fragment",
    "search_params": "query_params",
    "path_qs": "request_target",
    "human_repr": "display()",
    "geturl": "href",
}


class Elsewhere:
    """A name that URL does not have, as a descriptor."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, owner: object, kind: type) -> None:
        error = AttributeError(f"'URL' object has no attribute {self.name!r}. Did you mean {MEANT[self.name]}?")
        error.obj = kind if owner is None else owner  # without a name: the interpreter would suggest another one
        raise error


def __getattr__(name: str) -> Elsewhere:
    if name not in MEANT:
        raise AttributeError(name)
    return Elsewhere(name)
