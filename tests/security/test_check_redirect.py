"""check_redirect: is_safe_redirect, with the reason."""

from __future__ import annotations

import pytest
from support.seeds import seeded

from urlsm.patterns import PatternSet
from urlsm.security import Verdict, check_redirect, is_safe_redirect, redirects

HOME = "https://good.example/app/"


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("/next", ""),
        ("", ""),
        ("?q", ""),
        ("https://GOOD.example:443/x", ""),
        ("https://cdn.example/x", ""),
        ("https://" + "a." * 200 + "example/", "ambiguous"),
        ("https://a:" + "1" * 9000, "too-long"),
        ("/" + "a" * 9000, ""),
        ("/\u00e9" + "a" * 9000, ""),
        ("/x\ud800y", "surrogate"),
        ("/x\ny", "control-character"),
        ("/x\x85y", "control-character"),
        (" /x", "edge"),
        ("/x\u200b", "edge"),
        ("/\\evil.example", "ambiguous"),
        ("http://a\\@b/", "ambiguous"),
        ("/x/..//evil.example", "double-slash"),
        ("/%2Fevil.example", "double-slash"),
        ("./javascript:alert(1)", "colon"),
        ("javascript:alert(1)", "scheme-not-allowed"),
        ("ftp://good.example/", "scheme-not-allowed"),
        ("https://evil.example/", "host-not-allowed"),
        ("//evil.example/", "host-not-allowed"),
        ("https://me@good.example/", "credentials"),
        ("https://[0:0::1]/", "host-not-normal"),
    ],
)
def test_each_reason(target, code):
    verdict = check_redirect(target, base=HOME, allowed_hosts=["cdn.example", "::1"])
    assert verdict.codes == ((code,) if code else ()) and bool(verdict) is not bool(code) and verdict.final
    assert bool(verdict.message) is bool(code) and not (target and target in verdict.message)
    assert is_safe_redirect(target, base=HOME, allowed_hosts=["cdn.example", "::1"]) is bool(verdict)


def test_every_reason_has_a_row_above():
    reasons = {code for _, code in test_each_reason.pytestmark[0].args[1]}
    assert reasons == set(redirects._MESSAGES)


def test_sets_of_patterns_and_errors():
    hosts = PatternSet(["cdn.example"])
    assert check_redirect("https://a.cdn.example/x", base=HOME, allowed_hosts=hosts) == Verdict(True)
    assert check_redirect("https://evil.example/x", base=HOME, allowed_hosts=hosts).codes == ("host-not-allowed",)
    assert check_redirect("/x", base=HOME + "a" * 9000).allowed
    with pytest.raises(ValueError):
        check_redirect("/x", base="not a base")
    with pytest.raises(TypeError):
        check_redirect(5, base=HOME)


PIECES = ["/", "//", "\\", "https:", "http://", "good.example", "evil.example", "cdn.example:8443", "@",
          ":", "443", "?", "#", "%2f",
          "..", ".", "%2e", "a", " ", "\t", "\n", "\0", "\x85", "\u200b", "\ud800", "\xdf", "[::1]",
          "me:pw"]  # fmt: skip


def test_is_safe_redirect_is_its_truth_and_the_reason_that_of_the_long_way(cases):
    rng = seeded(30)
    found = set()
    for k in range(cases // 10):
        target = "".join(rng.choices(PIECES, k=rng.randint(1, 6)))
        if k % 2:
            target = f"https://evil.example/a{target}"  # the plain way answers for most of these
        if k % 20 < 2:
            target = target.replace("a", "a" * 8200, 1)
        verdict = check_redirect(target, base=HOME, allowed_hosts=("cdn.example:8443",))
        assert bool(verdict) is is_safe_redirect(target, base=HOME, allowed_hosts=("cdn.example:8443",)), target
        assert "".join(verdict.codes) == redirects.refusal(target, HOME, ("cdn.example:8443",)), target
        found |= set(verdict.codes)
    assert len(found) >= 6
