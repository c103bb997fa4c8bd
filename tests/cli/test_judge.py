"""The commands validate, normalize, resolve, compare, audit and extract: their output and exit codes."""

from __future__ import annotations

import io
import json
import sys

import pytest

from urlsm.cli import output as terminal_module


def records(out):
    return [json.loads(line) for line in out.splitlines()]


def test_validate_says_what_breaks_which_rule(run):
    code, out, err = run("validate", "http://h/[", "http://h/a", "telnet://u:p@h")
    first, second, third = records(out)
    assert (code, err) == (1, "")
    assert [(v["code"], v["position"], v["severity"]) for v in first["violations"]] == [
        ("character-not-allowed", 9, "error")
    ]
    assert second == {"input": "http://h/a", "violations": []}
    assert [v["severity"] for v in third["violations"]] == ["warning"]
    assert run("validate", "telnet://u:p@h")[0] == 0  # warnings do not count
    assert run("validate", "--dialect", "rfc1738", "http://h/~a")[0] == 1
    assert run("validate", "--dialect", "whatwg", "http:\\\\h")[0] == 1
    assert run("validate", "--dialect", "nope", "x:")[0] == 2


def test_validate_for_people_shows_no_password(run, monkeypatch):
    monkeypatch.setattr(terminal_module, "on_terminal", lambda: True)
    code, out, _ = run("validate", "http://me:secret@h/[", "http://h/a\x1b")
    assert code == 1 and "secret" not in out and "character-not-allowed" in out and "\x1b" not in out
    assert "no violations" in run("validate", "http://h/")[1]


def test_normalize(run):
    assert run("normalize", "HTTP://EX.org:80/%7ea", "x:%41") == (0, "http://ex.org/~a\nx:A\n", "")
    code, out, err = run("normalize", "http://a b", "HTTP://h")
    assert (code, out) == (1, "\nhttp://h/\n") and "(host-invalid, at 8)" in err
    assert records(run("normalize", "--json", "--dialect", "rfc2396", "x://H/%7e/..")[1]) == [
        {"input": "x://H/%7e/..", "normal": "x://H/~/.."}
    ]


def test_resolve(run):
    assert run("resolve", "http://a/b/c", "../d", "?x") == (0, "http://a/d\nhttp://a/b/c?x\n", "")
    assert run("resolve", "http://a/b/c", "?x", "--dialect", "rfc2396")[1] == "http://a/b/?x\n"
    assert run("resolve", "http://a/b", "http:c", "--dialect", "rfc3986", "--no-strict")[1] == "http://a/c\n"
    code, out, err = run("resolve", "http://a/", "//h:x/", "b")
    assert (code, out) == (1, "\nhttp://a/b\n") and "port-invalid" in err
    assert records(run("resolve", "--json", "http://a/", "b")[1]) == [
        {"base": "http://a/", "reference": "b", "target": "http://a/b"}
    ]


def test_compare(run, monkeypatch):
    code, out, _ = run("compare", "http://a\\@b/", "http://h/")
    first, second = records(out)
    assert code == 1 and not first["agree"] and second["agree"]
    assert first["views"]["whatwg"]["host"] == "a" and second["views"]["barth"]["host"] == "h"
    assert run("compare", "http://h/")[0] == 0
    monkeypatch.setattr(terminal_module, "on_terminal", lambda: True)
    out = run("compare", "http://me:secret@h/", "http://a\\@b/")[1]
    assert "they agree" in out and "they disagree" in out and "secret" not in out


def test_audit(run, monkeypatch):
    code, out, _ = run("audit", "http://u:p@127.1/", "http://example.org/")
    first, second = records(out)
    assert code == 1 and second["hazards"] == []
    assert {"loopback-address", "ipv4-odd-form"} <= {hazard["code"] for hazard in first["hazards"]}
    assert run("audit", "https://example.org/a")[0] == 0
    monkeypatch.setattr(terminal_module, "on_terminal", lambda: True)
    assert "secret" not in run("audit", "http://u:secret@h/")[1]
    assert "no hazards" in run("audit", "https://example.org/a")[1]


def test_extract(run, tmp_path, monkeypatch):
    path = tmp_path / "text"
    path.write_bytes(b"See <URL:http://a.example/b>, www.c.example.\n\xff mailto:me@d.example")
    code, out, err = run("extract", str(path))
    assert (code, err) == (0, "")
    assert [(found["href"], found["guess"]) for found in records(out)] == [
        ("http://a.example/b", False),
        ("mailto:me@d.example", False),
    ]
    assert [found["href"] for found in records(run("extract", "--guess-scheme", str(path))[1])][
        1
    ] == "http://www.c.example/"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"http://u:secret@h/"), encoding="utf-8"))
    code, out, _ = run("extract", "--table", "-")
    assert code == 0 and "secret" not in out and "@h/" in out
    assert run("extract", str(tmp_path / "missing"))[0] == 2


@pytest.mark.parametrize("command", ["extract", "parse", "explain"])
def test_a_bad_base_is_an_error_of_the_option(run, tmp_path, command):
    path = tmp_path / "x"
    path.write_text("<a> http://h/")
    code, out, err = run(command, "-b", "bad", str(path))
    assert (code, out) == (2, "") and "error: argument --base: the base URL has no scheme (" in err
    assert run(command, "-b", "http://h/", str(path))[0] == 0


def test_extract_reads_in_pieces_and_tells_the_line(run, tmp_path, monkeypatch):
    """The pieces end where every URL does, and never between "<" and ">"."""
    text = "é http://a/\n<http://b/\n  c>\n\nd < e http://f/ \nhttp://g/\r\n<http://h/" + "i" * 40 + "\n j> <http://k\n"
    text += '<http://l/\n  m> end <http://n/\n"o" http://p/\n'
    path = tmp_path / "text"
    path.write_text(text, newline="")
    whole = run("extract", str(path))
    for found in records(whole[1]):
        assert "".join(text[found["start"] : found["end"]].split()) == found["text"]
        assert text.count("\n", 0, found["start"]) + 1 == found["line"]
    assert [found["line"] for found in records(whole[1])] == [1, 2, 5, 6, 7, 8, 9, 10, 11]
    for size in (1, 2, 3, 5, 8, 13, 40, 1000):
        monkeypatch.setattr("urlsm.cli.find.BLOCK", size)
        assert run("extract", str(path)) == whole
    assert run("extract", "--csv", str(path))[1].startswith("file,line,start,end,text,guess,href\n")


def test_extract_in_processes_prints_in_order(run, tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_text("".join([f"é <http://a.example/{k}> and\nhttp://b.example/{k}.\n" for k in range(10_000)]))
    two.write_bytes(b"")
    for argv in (("--csv",), ("--guess-scheme",), ("--base", "http://h/")):
        alone = run("extract", *argv, str(one), str(two), str(one))
        assert run("extract", "-j", "2", *argv, str(one), str(two), str(one)) == alone and len(alone[1]) > 1 << 19
    assert run("extract", "-j", "2", "--csv", str(two)) == run("extract", "--csv", str(two))
    code, out, err = run("extract", "-j", "2", str(two), str(one), str(tmp_path / "absent"))
    assert code == 2 and "absent" in err and len(records(out)) == 20_000  # what stands before it
    assert run("extract", "-j", "0", str(one))[0] == 2
    assert run("extract", "-q", str(tmp_path / "absent")) == (2, "", "")


def test_separated_values_of_every_command(run, tmp_path):
    for command, said in (
        (
            ["validate", "http://h/["],
            "input,severity,code,component,position,message,reference\nhttp://h/[,error,charac",
        ),
        (["audit", "http://127.1/"], "input,severity,code,component,position,message,reference\nhttp://127.1/,hazard,"),
        (["normalize", "HTTP://H"], "input,normal\nHTTP://H,http://h/\n"),
        (["resolve", "http://h/", "a,b"], 'base,reference,target\nhttp://h/,"a,b","http://h/a,b"\n'),
        (["compare", "http://h:x/"], "input,dialect,scheme,host,port,refusal\nhttp://h:x/,whatwg,,,,port-invalid"),
        (["canonicalize", "http://H"], "input,key\nHTTP://H,"),
        (["surt", "http://h/"], "input,surt\nhttp://h/,h)/\n"),
        (["schemes"], "scheme,default_port,from,tier,title,reference,status,example\n"),
    ):
        out = run(command[0], "--csv", *command[1:])[1]
        assert out.lower().startswith(said.lower()), out
        assert run(command[0], "--tsv", *command[1:])[1].startswith(said.partition("\n")[0].replace(",", "\t"))
    assert run("normalize", "--table", "x:")[0] == run("resolve", "--table", "x:", "y")[0] == 2


def test_cells_that_disagree_and_severities_are_coloured(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "rich.box", None)
    monkeypatch.setattr(terminal_module, "on_terminal", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    out = run("compare", "http://a\\@b/", "http://h/")[1]
    rows = [line for line in out.splitlines() if line.startswith(("whatwg", "rfc3986", "barth"))]
    assert "\x1b" not in rows[0] and "\x1b[31mb" in out and not any("\x1b" in row for row in rows[3:])
    assert (
        "\x1b[31merror" in run("validate", "http://h/[")[1]
        and "\x1b[33mwarning" in run("validate", "telnet://u:p@h")[1]
    )
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run("compare", "http://a\\@b/")[1]


def test_urls_are_read_from_standard_input(run, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"HTTP://A\n\nx:b\n"), encoding="utf-8"))
    assert run("normalize", "-")[1] == "http://a/\nx:b\n"


def test_every_command_reads_files_and_names_their_lines(run, tmp_path):
    file = tmp_path / "urls"
    file.write_text("http://h/\n\nhttp://h:x/\n")
    for command in (["validate", "--table"], ["audit", "--table"], ["compare", "--table"]):
        out = run(*command, "--file", str(file))[1]
        assert f"{file}:1: http://h/" in out and f"{file}:3: http://h:x/" in out
    for command in (["normalize"], ["resolve", "http://b/"]):
        code, _, err = run(*command, "--file", str(file))
        assert code == 1 and err.startswith(f"{file}:3: ")
        assert run(*command, "--file", str(file), "--quiet")[2] == ""
    assert run("validate")[0] == 2


TRICK = "http://127.1\\@evil.example/a/../b"


def test_compare_named_programs(run, monkeypatch):
    code, out, err = run("compare", "--readers", "curl, go@1.26,whatwg", TRICK, "http://h/")
    first, second = records(out)
    assert (code, err) == (1, "") and not first["agree"] and second["agree"]
    assert list(first["views"]) == ["curl", "go@1.26", "whatwg"]
    assert first["views"]["curl"]["connects"] == ["evil.example", "80"] and first["views"]["go@1.26"]["refusal"]
    assert run("compare", "--readers", "curl,go", "http://h/")[0] == 0
    out = run("compare", "--readers", "curl,go", "--csv", "http://[::1]/")[1]
    assert out == (
        "input,reader,scheme,host,port,path,connects,refusal\n"
        "http://[::1]/,curl,http,[::1],,/,[::1]:80,\nhttp://[::1]/,go,http,::1,,/,[::1]:80,\n"
    )
    out = run("compare", "--readers", "python,whatwg", "--table", TRICK)[1]
    assert "evil.example" in out and "they disagree" in out and out.count("\n") == 12
    monkeypatch.setattr(terminal_module, "on_terminal", lambda: True)
    out = run(
        "compare", "--readers", "urllib.request,nginx,perl,go", "http://u:hunter2?@h/\x1b\u202e", "//u:hunter2@h/"
    )[1]
    assert "hunter2" not in out and "\x1b\u202e" not in out


def test_unknown_readers_are_wrong_usage(run):
    for command in ("compare", "audit", "page"):
        for names in ("nope", "curl,nope@1", "", "curl,,go", "curl@0.1", "curl@x"):
            code, out, err = run(command, "--readers", names, "http://h/")
            assert (code, out) == (2, "") and f"urlsm {command}: error: --readers: " in err
        assert "the readers are ada, " in run(command, "--readers", "nope", "http://h/")[2]


def test_the_readers_are_listed(run):
    for command in ("compare", "audit"):
        code, out, err = run(command, "--readers", "list", "--json")
        names = [record["name"] for record in records(out)]
        assert (code, err) == (0, "") and {"curl", "go", "php", "nginx"} <= {*names} and names == sorted(names)
        rows = run(command, "--readers", "list", "--csv")[1].splitlines()
        assert rows[0] == "name,versions,call,groups,proved,texts,equal" and len(rows) == len(names) + 1
        table = run(command, "--readers", "list", "--table")[1].splitlines()
        assert len(table) == len(names) + 1 and any(line.startswith("curl ") for line in table)


def test_audit_of_named_programs(run):
    code, out, _ = run("audit", "--readers", "curl,go", "http://h.example/a/./b", "http://h.example/")
    first, second = records(out)
    assert code == 1 and second["hazards"] == []
    assert [(hazard["code"], hazard["message"]) for hazard in first["hazards"]] == [
        ("readers-disagree", "curl sees the path /a/b, go sees the path /a/./b")
    ]
    assert run("audit", "http://h.example/a/./b")[0] == 0


def test_audit_of_named_hops(run):
    code, out, _ = run("audit", "--hops", "nginx,tomcat@10", "http://h.example/x/;y", "http://h.example/")
    first, second = records(out)
    assert code == 1 and second["hazards"] == []
    assert [(hazard["code"], hazard["message"]) for hazard in first["hazards"]] == [
        ("hops-disagree", "nginx sees the path /x/;y, tomcat sees the path /x/")
    ]
    code, _, err = run("audit", "--hops", "nginx,squid", "http://h.example/")
    assert code == 2 and "--hops: no program 'squid' is known" in err


def test_the_path_at_each_hop(run):
    code, out, _ = run("compare", "--path", "/x/..%2fadmin", "http://h.example/a?b")
    first, second = records(out)
    assert code == 1 and not first["agree"] and second["agree"]
    seen = {each["hop"].partition("@")[0]: each for each in first["hops"]}
    assert seen["nginx"]["path"] == "/admin" and seen["nginx"]["forwards"] == "/x/..%2fadmin"
    assert seen["tomcat"]["answer"] == "refused" and seen["tomcat"]["path"] is None
    assert {each["path"] for each in second["hops"]} == {"/a"}
    assert run("compare", "--path", "/a")[0] == 0
    table = run("compare", "--path", "--table", "//a")[1]
    assert "redirected" in table and "they disagree" in table
    rows = run("compare", "--path", "--csv", "/a")[1].splitlines()
    assert rows[0] == "input,hop,answer,path,forwards" and len(rows) == len(first["hops"]) + 1


def test_values_that_differ_are_coloured(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "rich.box", None)
    monkeypatch.setattr(terminal_module, "on_terminal", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    rows = run("compare", "--readers", "php,urllib.parse,curl,go", TRICK)[1].splitlines()[2:]
    assert "\x1b" not in rows[0] and "\x1b" not in rows[1]
    assert "\x1b[31m/b" in rows[2] and "\x1b[31mevil" not in rows[2] and "\x1b[31muserinfo" in rows[3]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run("compare", "--readers", "php,curl,go", TRICK)[1]
