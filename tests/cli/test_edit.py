"""urlsm parse as an editor: its own options, and trurl's tests for the options that both have."""

from __future__ import annotations

import argparse
import functools
import json
import shlex
import sys
from functools import partial

import pytest
from support.seeds import draws, least, seeded

import urlsm
from urlsm.cli import app as cli
from urlsm.cli import output
from urlsm.cli.edit import Edits
from urlsm.stdlib import quote, quote_plus
from urlsm.whatwg import URL as BrowserURL


@pytest.fixture
def run(run):
    """As run, of urlsm parse."""
    return functools.partial(run, "parse")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--get '{scheme} {host} {port}' http://h:8/", "http h 8\n"),
        ("--get '{default:port}' https://h/ foo://h/", "443\n\n"),
        ("--get '{default:url} {url}' http://h/ foo://h", "http://h:80/ http://h/\nfoo://h foo://h\n"),
        ("--get '{path}|{url:path}|{:path}' http://h/%20%C3%A9", "/ é|/%20%C3%A9|/%20%C3%A9\n"),
        ("--get '{path}' http://h/%0a%00%1b", "/\\n\\x00\\x1b\n"),
        (r"--get '{host}}\{\[] [x' http://h/", "h}{[] [x\n"),
        (r"--get '\{{host}\[\t\\\q\n' http://h/", "{h[\t\\\\q\n\n"),
        ("--get '{query:a}-{query-all:a}-{:query:a}' 'http://h/?a=1%202&b&a=3'", "1 2-1 2 3-1%202\n"),
        ("--get '{parts.recipients}' mailto:a@b,c@d", "a@b,c@d\n"),
        ("--get '{name}{suffix}' http://h/a/b.html", "b.html.html\n"),
        ("--get '{input} {url}' HTTP://H", "HTTP://H http://h/\n"),
        ("--get '{idn:host} {host}' http://xn--bcher-kva.de", "bücher.de xn--bcher-kva.de\n"),
        ("--get '{user}:{password}' http://u:p%40@h", "u:p@\n"),
        ("--set host=i --set user=a:b http://u:p@h/", "http://a%3Ab:p@i/\n"),
        ("--set path:=/%41 --set query=a%20b http://h/", "http://h/%41?a%2520b\n"),
        ("--set port?=8 --set fragment?=x http://h:9/", "http://h:9/#x\n"),
        ("--set query= --set fragment= 'http://h/?a#b'", "http://h/\n"),
        ("--set host=h --set scheme=ftp", "ftp://h/\n"),
        ("--append path='a/b%' --append path=c --append query='x=y z' http://h/", "http://h/a%2Fb%25/c?x=y+z\n"),
        ("--append query=x=y --append path=b 'http://h/a%zz?%20#f'", "http://h/a%zz/b?%20&x=y#f\n"),
        ("--qtrim utm_* --qtrim x 'http://h/?utm_a=1&%62=%2f+&x&xy'", "http://h/?%62=%2f+&xy\n"),
        ("--qtrim a 'http://h/?a=1'", "http://h/\n"),
        ("--replace a=5 --replace z=1 'http://h/?b&a=1&a=2'", "http://h/?b&a=5\n"),
        ("--sort-query 'http://h/?b=2&a=1&B=1&a=0&'", "http://h/?a=1&a=0&b=2&B=1\n"),
        ("--iterate 'port=81 82' --iterate 'scheme=http ftp' http://h", None),
        ("--keep-port http://h:80/ http://h/", "http://h:80/\nhttp://h/\n"),
        ("--default-port http://u@h/x wss://h foo://h mailto:x", "http://u@h:80/x\nwss://h:443/\nfoo://h\nmailto:x\n"),
        ("--as-idn http://xn--bcher-kva.de:81/", "http://bücher.de:81/\n"),
        ("--guess-scheme example.com/x ftp.example.com localhost:80 https://h", None),
        ("--csv 'http://h/a,\"b'", None),
        ("--tsv 'http://h/\\'", None),
        ("--base http://h/a/ --get '{path}' b", "/a/b\n"),
        ("--json --set host=i http://h/", None),
    ],
)
def test_edits(run, arguments, said):
    more = {
        "--iterate": "http://h:81/\nftp://h:81/\nhttp://h:82/\nftp://h:82/\n",
        "--guess-scheme": "http://example.com/x\nftp://ftp.example.com/\nhttp://localhost/\nhttps://h/\n",
        "--csv": "input,href,scheme,username,password,host,port,path,query,fragment,origin\n"
        '"http://h/a,""b","http://h/a,%22b",http,,,h,,"/a,%22b",,,http://h\n',
        "--tsv": "input\thref\tscheme\tusername\tpassword\thost\tport\tpath\tquery\tfragment\torigin\n"
        "http://h/\\\\\thttp://h//\thttp\t\t\th\t\t//\t\t\thttp://h\n",
        "--json": '{"input":"http://h/","href":"http://i/","scheme":"http","username":null,"password":null,"host":"i",'
        '"port":null,"path":"/","query":null,"fragment":null,"origin":"http://i"}\n',
    }
    code, out, err = run(*shlex.split(arguments))
    assert (code, out, err) == (0, more[shlex.split(arguments)[0]] if said is None else said, "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("--get '{hots}' http://h", "unknown name in a template: {hots}"),
        ("--get '{host' http://h", '"{" without "}" in a template: {host ('),
        ("--get 'a{{host}}' http://h", '"{" without "}" in a template: a{{host}} ('),
        ("--get '{host} {' http://h", '"{" without "}"'),
        ("--get '{}' http://h", "empty braces in a template: {}"),
        ("--get '{host}[]' http://h", "empty braces"),
        ("--set hots=x http://h", "must be NAME=TEXT, where NAME is one of scheme"),
        ("--set port=1 --set port=2 http://h", "--set names port twice"),
        ("--iterate 'port=1 2' --iterate port=3 http://h", "--iterate names a component twice"),
        ("--get '{host}' --json http://h", "--get cannot be used with --json"),
        ("--get '{host}' --dialect rfc3986 http://h", "only with --dialect whatwg"),
        ("--csv --tsv http://h", "not allowed with"),
        ("--set host=a --iterate 'host=b c' http://h", "--set and --iterate both name host"),
    ],
)
def test_wrong_usage_is_told(run, arguments, said):
    code, out, err = run(*shlex.split(arguments))
    assert (code, out) == (2, "") and said in err


def test_what_cannot_be_is_told_and_the_rest_goes_on(run, tmp_path):
    file = tmp_path / "urls"
    file.write_text("http://h/\nhttp://h:x/\nmailto:a\nhttp://i/?q\n")
    code, out, err = run("--set", "port=81", "--file", str(file))
    assert (code, out) == (1, "http://h:81/\nhttp://i:81/?q\n")
    assert f"{file}:2: the port contains " in err and "(port-invalid, " in err
    assert f"{file}:3: cannot replace port" in err
    code, out, err = run("--get", "{must:query}", "--file", str(file), "--quiet")
    assert (code, out, err) == (1, "q\n", "")


@pytest.mark.parametrize("given", ["--set host=h", "--set scheme=http", "--set path=/x"])
def test_a_url_is_made_of_a_scheme_and_a_host(run, given):
    code, out, err = run(*shlex.split(given))
    assert (code, out) == (1, "") and "create one with --set scheme=NAME --set host=NAME" in err
    assert run("--set", "scheme:=http", "--set", "host:=h")[1] == "http://h/\n"


def test_lines_are_those_of_the_file_across_blocks(run, tmp_path, monkeypatch):
    monkeypatch.setattr("urlsm.cli.output.BLOCK", 7)
    file = tmp_path / "urls"
    file.write_bytes(b"\xef\xbb\xbfhttp://a/\r\n\nhttp://" + b"b" * 40 + b"/\nhttp://:c/\n  \nhttp://d/")
    code, out, err = run("--get", "{host}", "--file", str(file))
    assert (code, out) == (1, f"a\n{'b' * 40}\nd\n") and f"{file}:4: the host is missing (host-missing," in err


def test_a_misspelt_command_and_a_bare_url(capsys):
    assert cli.main(["http://h/"]) == 0 and json.loads(capsys.readouterr().out)["href"] == "http://h/"
    for name, meant in (
        ("prase", "Did you mean parse?"),
        ("ex.com", "Did you mean urlsm parse https://ex.com?"),
        ("pages.example", "Did you mean urlsm parse https://pages.example?"),
        ("b\u00fccher.de", "Did you mean urlsm parse 'https://b\u00fccher.de'?"),
        ("ex.com?a=1&b", "Did you mean urlsm parse 'https://ex.com?a=1&b'?"),
        ("localhost", "Did you mean urlsm parse https://localhost?"),
        ("192.0.2.1", "Did you mean urlsm parse https://192.0.2.1?"),
        ("a b.c", "unknown command 'a b.c': parse, "),
        (".", "unknown command '.': parse, "),
        ("violations", "Did you mean parse --violations?"),
        ("xyz", "unknown command 'xyz': parse, "),
    ):
        with pytest.raises(SystemExit):
            cli.main([name])
        assert meant in capsys.readouterr().err


def test_json_is_for_people_where_the_stream_can_hold_it(run, monkeypatch):
    assert '"input":"http://h/é"' in run("http://h/é")[1]
    assert r"http://h/\u202e" in run("http://h/\u202e")[1]
    monkeypatch.setitem(sys.modules, "orjson", None)
    monkeypatch.setattr(output, "_encoders", None)
    assert '{"input":"http://h/é","href"' in run("--parts", "http://h/é")[1]


# --- each step against the long way ---


def long_set(url, name, how, value):
    if "?" in how and getattr(url, name) is not None:
        return url
    if name == "port":
        if value and not value.isdigit():
            raise ValueError(f"a port must be a number from 0 to 65535, not {value!r}")
        return url.replace(port=int(value) if value else None)
    if name == "scheme":
        return url.replace(scheme=value.lower())
    if ":" not in how and name != "host":
        value = value.replace("%", "%25")
        if name == "path" and not value.startswith("/"):
            value = f"/{value}"
    return url.replace(**{name: value or None})


def long_edits(args, url):
    """Apply each edit by its definition, in the order of the help text."""
    for name, how, value in args.set:
        url = long_set(url, name, how, value)
    if args.qtrim:
        url = url.without_query_params(*args.qtrim)
        url = url if url.query else url.replace(query=None)
    for text in args.append:
        name, _, value = text.partition("=")
        if name == "path":
            edited = BrowserURL(url)
            edited.pathname = (url / value).path
            url = urlsm.parse(edited.href)
        else:
            key, equals, value = value.partition("=")
            # a space is "+" in the forms of http, and "%20" elsewhere, where only the unreserved stay
            is_form = url.scheme in ("http", "https", "ws", "wss")
            encode = partial(quote_plus, safe="*") if is_form else partial(quote, safe="")
            made = "".join([encode(key, errors="surrogateescape"), equals, encode(value, errors="surrogateescape")])
            made = made.replace("~", "%7E") if is_form else made
            url = url.replace(query=f"{url.query}&{made}" if url.query else made)
    if args.sort_query and url.query:
        fields = [field for field in url.query.split("&") if field]
        url = url.replace(query="&".join(sorted(fields, key=lambda field: field.partition("=")[0].lower())))
    return url


def outcome(function, *given):
    try:
        return str(function(*given))
    except ValueError as error:
        return type(error), str(error)


PIECES = (
    *("a", "B", "b=1", "b=2", "=", "&", "&&", "%", "%zz", "%41", "%c3%a9", "é", " ", "+", "'", '"', "<", "|", "^", "`"),
    *(
        "{",
        "\\",
        "/",
        "//",
        "..",
        ".",
        "%2e",
        ":",
        "@",
        "?",
        "#",
        ";",
        "~",
        "\x7f",
        "\x01",
        "\t",
        "\udc80",
        "\u3000",
        "C|",
    ),
)
STARTS = (
    *(
        "http://h",
        "https://u:p@h:81",
        "http://xn--nxasmq6b.example",
        "file://",
        "file:///C:",
        "x://h",
        "x:///",
        "x:/.",
    ),
    *("mailto:", "data:", "blob:http://h", "ws://[::1]", "x:", "foo://u@h:1"),
)


@pytest.mark.once
def test_steps_do_what_the_long_way_does():
    """20,000 times five hostile URLs, each edited by the functions of the arguments and by their definitions."""
    chosen = seeded(21)

    def text(most):
        return "".join(chosen.choices(PIECES, k=chosen.randrange(most + 1)))

    changed = 0
    for _ in range(draws(20_000)):
        sets = chosen.sample(("scheme", "username", "password", "host", "port", "path", "query", "fragment"), k=1)
        values = [chosen.choice(["https", "x", "", "8", "b", text(4), text(4)]) for _ in sets]
        hows = chosen.choices(("", "", ":", "?", ":?"), k=len(sets))
        kind = chosen.randrange(5)
        args = argparse.Namespace(
            set=list(zip(sets, hows, values, strict=True)) if kind == 0 else [],
            qtrim=[chosen.choice(["b", "a*", "B", "*"])] if kind == 1 else [],
            append=[chosen.choice(["path=", "query="]) + text(4)] if kind == 2 else [],
            sort_query=kind == 3 or chosen.random() < 0.3,
            **{"replace": [], "iterate": [], "guess_scheme": False, "get": None},
            **{"keep_port": False, "default_port": False, "as_idn": False},
        )
        given = argparse.Namespace(**{**vars(args), "set": [f"{n}{how}={value}" for n, how, value in args.set]})
        line = Edits(given).lines(None)
        for _ in range(5):
            url = urlsm.try_parse(chosen.choice(STARTS) + text(6))
            if url is None:
                continue
            theirs = outcome(long_edits, args, url)
            ours = outcome(line, url)
            changed += theirs != url.href
            assert ours == (f"{theirs}\n" if isinstance(theirs, str) else theirs), (url, vars(args))
            assert not isinstance(ours, str) or output.fit(ours, sys.stdout) == ours
    assert changed > least(20_000)
