"""Origins of every scheme, of any port, and what is none."""

from __future__ import annotations

import pytest

from urlsm.patterns import PatternError, PatternSet

# jobs.json 49 to 54: youssofal/MTPLX#473, pollen-robotics/reachy_mini#1213, envoyproxy/gateway#9126,
# anomalyco/opencode#25074
APPS = [
    "tauri://localhost",
    "capacitor://localhost",
    "ionic://localhost",
    "chrome-extension://abcdefghijklmnopabcdefghijklmnop",
    "moz-extension://d653180d-24ac-49fe-8951-892c9ead1d63",
    "app://local.example:1420",
    "vscode-webview://[::1]",
]


@pytest.mark.parametrize("origin", APPS)
def test_an_origin_of_another_scheme(origin: str):
    patterns = PatternSet([origin], "origins")
    scheme, _, host = origin.partition("://")
    assert origin in patterns
    assert f"{origin}/path?query" in patterns
    for url in (f"{scheme}://evil@{host}", f"{scheme}://evil\\@{host}", f"{scheme}:{host}", f"{origin}.evil", "null",
                f"{scheme}://{host}@evil", f"https://{host}", f"{scheme}://{host.partition(':')[0]}:8", f"x{origin}",
                f"{scheme}:///{host}", f"{scheme}://x.{host}"):  # fmt: skip
        assert url not in patterns, url
    assert PatternSet([origin.replace(scheme, scheme.upper(), 1)], "origins").match(origin) is not None
    assert "nothing" not in {lint.code for lint in patterns.lint()}
    assert patterns.explain(f"{scheme}://other").component in ("host", "port")


@pytest.mark.parametrize(
    ("origin", "inside", "outside"),
    [
        ("http://127.0.0.1:*", "http://127.0.0.1 http://127.0.0.1:5173 http://127.0.0.1:80/x",
         "https://127.0.0.1:5173 http://127.0.0.2:5173 http://127.0.0.1:80@evil.example http://127.0.0.1.evil.example"),
        ("http://localhost:*", "http://localhost:3000", "http://localhost.evil:3000"),
        ("https://*.a.example:*", "https://x.a.example:8443 https://x.y.a.example", "https://a.example:8443"),
        ("http://[::1]:*", "http://[::1]:81", "http://[::2]:81"),
        ("tauri://localhost:*", "tauri://localhost tauri://localhost:1420", "tauri://evil:1420"),
        ("app://*.a", "app://x.a", "app://a app://x.a:1 app://u@x.a"),
    ],
)  # fmt: skip
def test_any_port(origin: str, inside: str, outside: str):
    patterns = PatternSet([origin], "origins")
    assert [url for url in inside.split() if url not in patterns] == []
    assert [url for url in outside.split() if url in patterns] == []


@pytest.mark.parametrize(
    "text",
    ["*", "null", "http://*", "*://a.example", "https://*:8443", "http://a:**", "http://a:8*", "file:///x", "file://",
     "data:x", "data://x", "blob:https://a", "javascript://a", "about://a", "tauri://", "tauri:localhost", "a.example",
     "tauri://a b", "tauri://u@a", "tauri://a/", "http://:*", "tauri://*", "1x://a", "http://a.example:*:80"],
)  # fmt: skip
def test_what_is_no_origin(text: str):
    with pytest.raises(PatternError):
        PatternSet([text], "origins")
    patterns = PatternSet([text, "https://a.example"], "origins", strict=False)
    assert [error.pattern for error in patterns.errors] == [text]
    assert "https://a.example" in patterns
