"""Advisories that were a difference between two readers: each is shown by the pair, or by the hazard, that it names."""

from __future__ import annotations

import pytest

from urlsm.security import audit, compare_readers, is_ambiguous

REFUSED = None
# the advisory, the text, a component, and what readers see in it (REFUSED: they reject the text)
SEEN = [
    ("CVE-2026-46526, OWASP #2401", "http://127.0.0.1:6666\\@1.1.1.1", "host",
     {"urllib.parse": "1.1.1.1", "requests": "127.0.0.1", "urllib3": "127.0.0.1", "chromium": "127.0.0.1",
      "okhttp": "127.0.0.1", "go": REFUSED, "yarl": REFUSED, "java.net.URI": REFUSED}),
    ("GHSA-v359-jj2v-j536", "http://good.example\\@127.0.0.1/", "host",
     {"urllib3": "good.example", "httpx": "127.0.0.1", "yarl": REFUSED}),
    ("onefilellm #79", "http://127.0.0.%31/", "host",
     {"urllib.parse": "127.0.0.%31", "yarl": "127.0.0.%31", "php": "127.0.0.%31", "java.net.URL": "127.0.0.%31",
      "requests": "127.0.0.1", "curl": "127.0.0.1", "chromium": "127.0.0.1"}),
    ("CVE-2023-24329", " http://evil.example/", "host",
     {"urllib.parse@3.7": "", "urllib.parse@3.11.7": "evil.example", "chromium": "evil.example"}),
    ("CVE-2024-11168", "http://[internal]/", "host", {"urllib.parse@3.10": "internal", "urllib.parse": REFUSED}),
    ("CVE-2025-0938", "http://prefix.[v6a.ip].suffix/", "host",
     {"urllib.parse@3.13.0": "v6a.ip", "urllib.parse@3.14": REFUSED, "go": REFUSED, "curl": REFUSED}),
    ("CVE-2024-22243", "https://good.example[@evil.example/", "host",
     {"spring": "good.example", "chromium": "evil.example", "curl": "evil.example", "okhttp": "evil.example"}),
    ("CVE-2023-26159", "http://[localhost]/admin", "host", {"node": REFUSED, "node-legacy": "localhost"}),
    ("CVE-2025-47912", "http://[good.example]/", "host", {"go@1.19": "good.example", "go": REFUSED, "curl": REFUSED}),
    ("CVE-2026-25679", "http://good.example[::1]/", "host",
     {"urllib.parse@3.13.0": "::1", "go": REFUSED, "curl": REFUSED}),
    ("CVE-2025-56200", "http:evil.example", "host",
     {"chromium": "evil.example", "node": "evil.example", "okhttp": "evil.example", "go": "", "php": "",
      "java.net.URL": "", "wget": "http"}),
    ("CVE-2024-12224", "http://xn--example-.org/", "host", {"firefox": REFUSED, "curl": "xn--example-.org"}),
    ("url-parse #241", "http://evil\u3002example/", "host", {"url-parse": "evil\u3002example", "node": "evil.example"}),
    ("CVE-2024-29415", "http://0177.1/", "host",
     {"go": "0177.1", "php": "0177.1", "java.net.URL": "0177.1", "chromium": "127.0.0.1", "curl": "127.0.0.1"}),
    ("CVE-2025-59436", "http://017700000001/", "host",
     {"go": "017700000001", "chromium": "127.0.0.1", "curl": "127.0.0.1"}),
    ("CVE-2025-59437", "http://0/", "host", {"go": "0", "chromium": "0.0.0.0", "curl": "0.0.0.0"}),
    ("CVE-2024-5458", "http://a[b]c@evil.example/", "host", {"php": "evil.example", "php-rfc3986": REFUSED}),
    ("CVE-2025-62718", "http://localhost.:8080/", "host", {"nginx": "localhost", "curl": "localhost."}),
    ("CVE-2026-44492", "http://[::ffff:127.0.0.1]/", "host", {"okhttp": "127.0.0.1", "chromium": "[::ffff:7f00:1]"}),
    ("CVE-2026-48020", "http://h/api%2e%2e/admin", "path",
     {"go": "/api../admin", "nginx": "/api../admin", "chromium": "/api%2e%2e/admin", "curl": "/api%2e%2e/admin"}),
    ("CVE-2026-40912", "http://h/api/%2e/admin/secret", "path",
     {"go": "/api/./admin/secret", "nginx": "/api/admin/secret", "curl": "/api/admin/secret",
      "chromium": "/api/admin/secret", "okhttp": "/api/admin/secret", "curl@7.88": "/api/%2e/admin/secret",
      "php": "/api/%2e/admin/secret"}),
    ("CVE-2025-66490", "http://h/public%2F..%2Fadmin", "path",
     {"go": "/public/../admin", "nginx": "/admin", "chromium": "/public%2F..%2Fadmin"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "component", "seen"), [row[1:] for row in SEEN], ids=[row[0] for row in SEEN])
def test_shown_by_its_pair(text, component, seen):
    found = compare_readers(text, readers=seen)
    assert {
        name: REFUSED if view.refusal is not None else view[component] or "" for name, view in found.views.items()
    } == seen
    if component == "host":
        assert not found.agree
        assert is_ambiguous(text, readers=list(seen))


@pytest.mark.parametrize("text", [row[1] for row in SEEN if row[2] == "path"])
def test_the_path_is_named(text):
    assert any(hazard.component == "path" for hazard in audit(text, readers=["nginx", "curl@7.88"]))
