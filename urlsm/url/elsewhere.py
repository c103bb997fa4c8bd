"""Names that other libraries use for attributes of URLs and queries, but that urlsm spells differently. Accessing such
a name raises an AttributeError that suggests urlsm's name. `replace` and `build` suggest argument names in the same
way."""

MEANT = {  # names of a URL's attributes in yarl, httpx, pathlib, furl, browsers and urllib
    "with_scheme": "replace(scheme=...)",
    "with_user": "replace(username=...)",
    "with_password": "replace(password=...)",
    "with_host": "replace(host=...)",
    "with_port": "replace(port=...)",
    "with_path": "replace(path=...)",
    "with_fragment": "replace(fragment=...)",
    "with_name": "join(name)",
    "with_suffix": "join(name)",
    "copy_with": "replace(...)",
    "joinpath": "/ segment, or append_path(path)",
    "raw_path": "path",
    "path_qs": "request_target",
    "parents": "parent",
    "stem": "name",
    "args": "query_params",
    "user": "username",
    "netloc": "authority",
    "hostname": "host",
    "protocol": "scheme",
    "pathname": "path",
    "search": "query",
    "hash": "fragment",
    "search_params": "query_params",
    "human_repr": "display()",
    "geturl": "href",
    # methods of what yarl, Django, Starlette, httpx and furl have for query_params
    "getall": "query_params.get_all(name)",
    "getlist": "query_params.get_all(name)",
    "get_list": "query_params.get_all(name)",
    "multi_items": "query_params.items()",
}
COMPONENTS = {  # names of arguments of replace and build
    "user": "username",
    "hostname": "host",
    "protocol": "scheme",
    "pathname": "path",
    "raw_path": "path",
    "search": "query",
    "hash": "fragment",
    "netloc": "username, password, host and port",
    "authority": "username, password, host and port",
    "segments": "path",
    "raw_query": "query",
    "query_string": "query",
    "query_params": "query, or with_query(...)",
    "search_params": "query, or with_query(...)",
    "params": "query, or with_query(...)",
    "args": "query, or with_query(...)",
}


class Elsewhere:
    """A descriptor for a name that URL or QueryParams does not have; getting it raises an AttributeError."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, owner: object, kind: type) -> None:
        meant = MEANT[self.name].removeprefix("query_params." if kind.__name__ == "QueryParams" else "")
        of = (
            f"type object '{kind.__module__}.{kind.__name__}'"
            if owner is None
            else f"'{kind.__module__}.{kind.__name__}' object"
        )
        error = AttributeError(f"{of} has no attribute {self.name!r}. Did you mean {meant}?")
        # error.name stays unset: with it, the interpreter would add a suggestion of its own
        error.obj = kind if owner is None else owner
        raise error


def __getattr__(name: str) -> Elsewhere:
    if name not in MEANT:
        raise AttributeError(name)
    return Elsewhere(name)
