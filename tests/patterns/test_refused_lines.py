"""A line that is refused leaves nothing behind: no rule, and no host without one."""

from __future__ import annotations

import pytest

from urlsm.patterns import PatternSet

TOO_LARGE = (
    ("glob", "https://refused.example/" + "?" * 9000),
    ("glob", "https://refused.example/" + "**/*" * 3000),
    ("csp", "https://refused.example/" + "%41" * 9000),
)


@pytest.mark.parametrize(("syntax", "line"), TOO_LARGE)
@pytest.mark.parametrize("url", ["https://refused.example/" + "aa/b" * 5000, "https://refused.example/"])
@pytest.mark.parametrize("others", [[], ["https://other.example/"]])
def test_a_pattern_that_is_too_large_has_no_host_in_the_table(
    syntax: str, line: str, url: str, others: list[str]
) -> None:
    patterns = PatternSet([line, *others], syntax, strict=False)
    assert [error.code for error in patterns.errors] == ["too-large"]
    assert url not in patterns
    assert patterns.all(url) == []


@pytest.mark.slow(1)
@pytest.mark.parametrize("line", ["0.0.0.0 {}", "address=/{}/"])
def test_a_line_of_many_names_takes_linear_time(line: str) -> None:
    names = (" " if line[0] == "0" else "/").join(f"a{k}.example" for k in range(50_000))
    assert "https://a7.example/" in PatternSet(line.format(names), "hosts")


def test_the_place_of_a_bad_name_is_told() -> None:
    (error,) = PatternSet("0.0.0.0 a.example *.b.example", "hosts", strict=False).errors
    assert (error.code, error.position) == ("not-a-host", 18)


@pytest.mark.parametrize(
    ("syntax", "line", "url"),
    [
        ("hosts", "address=/a.example/*.b.example/", "https://a.example/"),
        ("hosts", "0.0.0.0 a.example b*.example", "https://a.example/"),
        ("glob", "https://a.example{/x,/" + "?" * 9000 + "\\?q}", "https://a.example/x"),
    ],
)
def test_a_line_that_is_refused_in_the_middle_has_no_rule(syntax: str, line: str, url: str) -> None:
    patterns = PatternSet([line, "x.example" if syntax == "hosts" else "https://x.example/"], syntax, strict=False)
    assert len(patterns.errors) == 1
    assert url not in patterns
    assert "https://x.example/" in patterns
    assert [found.index for found in patterns.all("https://x.example/")] == [1]
