"""The command match: which URLs a list holds, why, and what is wrong with the list."""

import io
import json
import sys

import pytest


@pytest.fixture
def scope(tmp_path):
    path = tmp_path / "scope.txt"
    path.write_text("# ours\nexample.com\n*.example.org\n", encoding="utf-8")
    return str(path)


def test_match(run, scope):
    code, out, err = run("match", "--rules", scope, "https://a.example.com/", "https://u:pw@example.org/")
    assert (code, err) == (1, "")
    assert out == "in   https://a.example.com/  example.com  (line 2)\nout  https://u:***@example.org/\n"
    assert run("match", "-r", scope, "https://example.com/")[0] == 0


def test_standard_input(run, scope, monkeypatch):
    for arguments in (("--file", "-"), ("-",)):
        stdin = io.TextIOWrapper(io.BytesIO(b"https://example.com/\n\nhttps://evil.example/\n"))
        monkeypatch.setattr(sys, "stdin", stdin)
        code, out, _ = run("match", "-r", scope, "--json", *arguments)
        assert code == 1
        assert [json.loads(line)["included"] for line in out.splitlines()] == [True, False]


def test_rows(run, scope):
    out = run("match", "-r", scope, "--csv", "https://example.com/", "x")[1]
    assert out == "input,included,pattern,line\nhttps://example.com/,True,example.com,2\nx,False,,\n"
    row = json.loads(run("match", "-r", scope, "--explain", "--json", "https://example.org/")[1])
    assert (row["included"], row["pattern"], row["component"], row["position"]) == (False, "*.example.org", "host", 8)


def test_explain(run):
    out = run("match", "--syntax", "redirect-uri", "-p", "https://a.example/cb", "--explain", "https://a.example/cb2")[
        1
    ]
    assert out.splitlines() == [
        "out  https://a.example/cb2",
        "     no pattern matches; the closest, 'https://a.example/cb', differs in the path",
        "       https://a.example/cb2",
        "                           ^",
    ]


def test_patterns_and_exclude(run, scope, tmp_path):
    fewer = tmp_path / "fewer.txt"
    fewer.write_text("ads.example.com\n")
    argv = ("match", "-r", scope, "-p", "more.example", "-x", str(fewer))
    code, out, _ = run(*argv, "https://more.example/", "https://ads.example.com/")
    assert code == 1
    assert out.splitlines() == ["in   https://more.example/  more.example  (line 3)", "out  https://ads.example.com/"]


def test_flavor_and_agent(run, tmp_path):
    assert run("match", "--syntax", "no-proxy", "--flavor", "curl", "-p", "*.a.example", "http://b.a.example/")[0] == 1
    assert run("match", "--syntax", "no-proxy", "-p", "*.a.example", "http://b.a.example/")[0] == 0
    robots = tmp_path / "robots.txt"
    robots.write_text("User-agent: a\nDisallow: /x\n")
    argv = ("match", "--syntax", "robots", "-r", str(robots))
    assert run(*argv, "--agent", "a", "https://h/x")[0] == 1
    assert run(*argv, "--agent", "b", "https://h/x")[0] == 0


def test_lint(run, scope, tmp_path):
    assert run("match", "--lint", scope) == (0, "", "")  # *.example.org is right, too
    code, out, err = run("match", "--lint", "--hints", scope)
    assert (code, err) == (1, "")
    assert run("match", "--lint", "--hints", "--ignore", "not-the-name-itself", scope) == (0, "", "")
    assert out.startswith(f"{scope}:3: *.example.org: this matches only subdomains of example.org")
    assert out.endswith("(not-the-name-itself)  https://example.org/\n")
    (row,) = [
        json.loads(line) for line in run("match", "--lint", "--hints", "--json", "--rules", scope)[1].splitlines()
    ]
    assert (row["line"], row["code"], row["witness"]) == (3, "not-the-name-itself", "https://example.org/")
    right, wrong = tmp_path / "right.txt", tmp_path / "wrong.txt"
    right.write_text("example.com\n")
    wrong.write_text("example.com\na b\n")
    assert run("match", "--lint", str(right)) == (0, "", "")
    code, out, _ = run("match", "--lint", "--csv", str(right), str(wrong))
    assert code == 1
    assert out.splitlines()[1].startswith(f"{wrong},2,0,not-a-host,a b,")
    wrong.write_text("Disalow: /\n")
    assert "mistyped-key" in run("match", "--lint", "--syntax", "robots", str(wrong))[1]


def test_what_is_wrong(run, tmp_path):
    code, _, err = run("match", "-p", "a b", "https://a/")
    assert code == 2 and "'a b' is not a host" in err
    missing = ("-r", str(tmp_path / "no"), "x")
    for argv in (
        ("https://a/",),
        ("--syntax", "nope", "-p", "a", "x"),
        ("--lint",),
        missing,
        ("-p", "a", "--flavor", "b", "x"),
    ):
        assert run("match", *argv)[0] == 2
