"""Prevent SSRF: a Policy says which URLs and addresses a client may connect to. The guarded clients of httpx, requests,
urllib3, aiohttp and urllib.request obey it."""

from urlsm.octets.later import later as _later

# the module that defines each public name; it is loaded when the name is first used, and a client's module loads the
# client
_HOMES = {
    **dict.fromkeys(("BlockedError", "Policy"), "urlsm.guard.policy"),
    "AiohttpConnector": "urlsm.guard.connector",
    **dict.fromkeys(("AsyncHttpcoreBackend", "HttpcoreBackend"), "urlsm.guard._httpcore"),
    **dict.fromkeys(("RequestsAdapter", "requests_session"), "urlsm.guard._requests"),
    "aiohttp_session": "urlsm.guard._aiohttp",
    **dict.fromkeys(("httpx_async_client", "httpx_client"), "urlsm.guard._httpx"),
    "urllib3_pool": "urlsm.guard._urllib3",
    "urllib_opener": "urlsm.guard._urllib",
}

__all__ = [*_HOMES]

_load, __dir__ = _later(globals(), _HOMES)
_CLIENTS = ("aiohttp", "httpcore", "httpx", "requests", "urllib3")


def __getattr__(name: str) -> object:
    try:
        return _load(name)
    except ModuleNotFoundError as error:
        extra = next((client for client in _CLIENTS if client in name.lower()), "")
        if extra and error.name and not error.name.startswith("urlsm"):
            extra = "httpx" if extra == "httpcore" else extra
            said = f"urlsm.guard.{name} needs {error.name}: pip install 'urlsm[{extra}]'"
            raise ModuleNotFoundError(said, name=error.name) from None
        raise
