"""urlsm serve and urlsm page: over http, and in a browser, if there is one."""

from __future__ import annotations

import http.client
import json
import os
import pathlib
import socket
import struct
import subprocess
import sys
import threading
from urllib.parse import quote

import pytest

import urlsm
from urlsm.cli import app as cli
from urlsm.cli.serve import Server

HOSTILE = "http://h\\@evil/<script>alert(1)</script>\u202e\0"


@pytest.fixture(scope="module")
def server():
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()


def ask(server, path, host=None, method="GET"):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.putrequest(method, path, skip_host=True)
    for name in [host if host is not None else f"127.0.0.1:{server.port}"] if host != "" else []:
        connection.putheader("Host", name)
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer, body


def test_it_listens_on_this_machine_only(server):
    assert server.server_address[0] == "127.0.0.1"


def test_a_list_is_tried(server):
    answer, body = ask(server, "/list")
    assert answer.status == 200 and "<textarea" in body and "Lint" not in body
    rules = quote("https://app.example\nhttps://*.app.example\n<b>")
    answer, body = ask(server, f"/list?syntax=origins&list={rules}&url=https://evil.example/%3Cb%3E")
    assert answer.status == 200 and "<b>" not in body and "<option selected>origins" in body
    assert (
        "The URL is not in the list" in body and "differs in the host" in body and "an origin must start with" in body
    )
    assert "The URL is in the list" in ask(server, f"/list?syntax=origins&list={rules}&url=https://app.example/")[1]
    assert "syntax must be one of" in ask(server, "/list?syntax=%22%3E%3Cb%3E&list=a&url=b")[1]
    for hostile in ("%00%ED%A0%80", quote(HOSTILE), "%FF"):
        answer, body = ask(server, f"/list?syntax=domains&list={hostile}&url={hostile}")
        assert answer.status == 200 and "<script" not in body


def test_a_page_and_its_data(server):
    answer, body = ask(server, "/")
    assert answer.status == 200 and "<form" in body and "Hazards" not in body
    answer, body = ask(server, f"/?url={quote(HOSTILE)}")
    assert answer.status == 200 and "They do not agree" in body and "<script" not in body
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-") and "form-action 'self'" in policy
    assert "frame-ancestors 'none'" in policy and answer.headers["X-Content-Type-Options"] == "nosniff"
    answer, body = ask(server, f"/api?url={quote(HOSTILE)}")
    found = json.loads(body)
    assert found["input"] == HOSTILE and not found["agree"] and found["views"]["whatwg"]["host"] == "h"
    assert answer.headers["Content-Type"].startswith("application/json")
    assert json.loads(ask(server, "/api?url=http://h:x/")[1])["error"] == {"code": "port-invalid", "position": 9}


def test_the_page_and_its_data_show_chosen_readers(server):
    answer, body = ask(server, f"/?url={quote(HOSTILE)}&readers=curl,%20go")
    assert answer.status == 200 and body.count('<tr class="band-') == 2 and 'value="curl, go"' in body
    assert 'class="band-' not in ask(server, f"/?url={quote(HOSTILE)}&readers=%20")[1].partition("<body>")[2]
    found = json.loads(ask(server, "/api?url=http://127.1/&readers=curl,go")[1])
    assert not found["agree"] and found["views"]["curl"]["connects"] == ["127.0.0.1", "80"]
    assert "readers-disagree" in [hazard["code"] for hazard in found["hazards"]]
    for wrong in ("nope", "curl,", "curl@0", quote("<b>\x1b")):
        answer, body = ask(server, f"/?url=http://h/&readers={wrong}")
        assert (answer.status == 400 and 'role="alert"' in body and "the readers are" in body) or "curl@0" in body
        assert "<b>" not in body and "\x1b" not in body and "Hazards" in body
        answer, body = ask(server, f"/api?url=http://h/&readers={wrong}")
        assert answer.status == 400 and body.startswith("readers: ") and "\x1b" not in body


@pytest.mark.parametrize("path", ["/x", "/api", "/../etc/passwd", "//evil/", "http://127.0.0.1/"])
def test_there_is_nothing_else(server, path):
    assert ask(server, path)[0].status == 404


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "localhost", "127.0.0.1:1", "localhost.evil:{port}", "", "[::1]:{port}"]
)
def test_another_name_is_refused(server, host):
    """DNS rebinding: a page of evil.example, whose name leads to 127.0.0.1, reads nothing."""
    answer, body = ask(server, "/?url=http://h/", host.replace("{port}", str(server.port)))
    assert answer.status == 403 and "http://h/" not in body
    assert ask(server, "/", f"localhost:{server.port}")[0].status == 200


def test_other_methods_and_long_lines_are_refused(server):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.request("POST", "/")
    assert connection.getresponse().status == 501
    connection.close()
    assert ask(server, "/?url=" + "a" * (1 << 17))[0].status == 414


def test_head_is_answered_as_get_without_content(server):
    for path in ("/", f"/?url={quote(HOSTILE)}", "/api?url=http://h/", "/x"):
        answer, body = ask(server, path)
        headed, nothing = ask(server, path, method="HEAD")
        assert (headed.status, nothing) == (answer.status, "") and headed.headers["Content-Length"] == str(len(body))
    assert ask(server, "/", "evil.example", "HEAD")[0].status == 403


def test_port_80_is_not_named(server):
    """RFC 9110 section 7.2: clients leave out the scheme's default port."""
    assert server.names == (f"127.0.0.1:{server.port}", f"localhost:{server.port}")
    at_80 = Server.__new__(Server)
    at_80.server_address = ("127.0.0.1", 80)
    assert at_80.names == ("127.0.0.1:80", "localhost:80", "127.0.0.1", "localhost")
    assert ask(server, "/", f"LocalHost:{server.port}")[0].status == 200


def test_it_asks_no_resolver(monkeypatch):
    for name in ("getfqdn", "gethostbyaddr", "getaddrinfo", "gethostbyname"):
        monkeypatch.setattr(socket, name, None)
    Server().server_close()


def test_clients_that_go_away_leave_no_traceback(server, capsys):
    reset = struct.pack("ii", 1, 0)  # SO_LINGER: close() sends RST
    for sent in (b"", b"GET /?u", b"GET /?url=http://h/" + b"a" * 60_000 + b" HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n"):
        for _ in range(20):
            with socket.create_connection(("127.0.0.1", server.port)) as client:
                client.sendall(sent % server.port if b"%d" in sent else sent)
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
    assert ask(server, "/")[0].status == 200
    for thread in threading.enumerate():
        if "process_request_thread" in thread.name:
            thread.join(30)
    assert capsys.readouterr().err == ""


def test_an_error_of_the_server_itself_is_told(server, capsys):
    for error, told in ((ConnectionResetError(), False), (BrokenPipeError(), False), (ZeroDivisionError(), True)):
        try:
            raise error
        except Exception:
            server.handle_error(None, ("127.0.0.1", 1))
        assert ("ZeroDivisionError" in capsys.readouterr().err) == told


@pytest.mark.skipif(os.name == "nt", reason="the number of open files is not limited so on Windows")
def test_a_thousand_connections_at_once_are_answered():
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 2048:
        pytest.skip("this system lets a process open few files")
    command = [sys.executable, "-m", "urlsm", "serve", "--port", "0"]
    source = str(pathlib.Path(urlsm.__file__).resolve().parents[1])
    resource.setrlimit(resource.RLIMIT_NOFILE, (1024, hard))  # what systems allow by default: the server's too
    with subprocess.Popen(
        command, stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": source}, cwd=os.sep
    ) as process:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (2048, hard))
            port = int(process.stderr.readline().split(":")[2].split("/")[0])
            clients = [socket.create_connection(("127.0.0.1", port), timeout=60) for _ in range(1100)]
            for client in clients:
                client.sendall(b"GET / HTTP/1.1\r\nHost: localhost:%d\r\n\r\n" % port)
            for client in clients:
                with client, client.makefile("rb") as stream:
                    assert stream.readline().startswith(b"HTTP/1.0 200 ") and stream.read().endswith(b"</html>\n")
        finally:
            process.terminate()
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("port", ["70000", "65536", "-1", "x", "", "\u0663", "9" * 5000])
def test_a_port_that_cannot_be_is_wrong_usage(port, capsys):
    with pytest.raises(SystemExit) as stop:
        cli.main(["serve", f"--port={port}"])
    err = capsys.readouterr().err
    assert stop.value.code == 2 and "the port must be a number from 0 to 65535" in err and "Traceback" not in err


def test_page_writes_a_file(tmp_path, capsys):
    file = tmp_path / "page.html"
    assert cli.main(["page", HOSTILE, "-o", str(file)]) == 0
    made = file.read_text(encoding="utf-8")
    assert "form-action 'none'" in made and "<script" not in made and "<form" not in made
    assert cli.main(["page", HOSTILE, "--readers", "curl,go", "-o", str(file)]) == 0
    assert file.read_text(encoding="utf-8").count('<tr class="band-') == 2
    assert cli.main(["page", "http://h/"]) == 0 and capsys.readouterr().out.startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ("https://bob:pw@good.example\\@127.1:8080/", 'placeholder="https://bob:***@good.example\\@127.1:8080/"'),
        ("https://ghp_x@github.com/", 'placeholder="https://***@github.com/"'),
        ("http://h/?password=x", 'placeholder="http://h/?password=***"'),
        ("http://h/a", 'value="http://h/a"'),
        ("http://h/***", 'value="http://h/***"'),
        ("http://h/\x01", 'placeholder="http://h/\\x01"'),
        ("http://h/" + "a" * 5000, "placeholder="),
    ],
)
def test_the_field_holds_what_was_asked_or_nothing(server, given, field):
    """If the field held a masked text, Look would ask about that."""
    body = ask(server, f"/?url={quote(given)}")[1]
    assert field in body and ("Secrets are shown as ***" in body) == ("placeholder" in field and "***" in field)


def test_explain_masks_what_the_url_standard_finds(capsys):
    cli.main(["parse", "--table", "--explain", "https://bob:pw@good.example\\@127.1:8080/"])
    out = capsys.readouterr().out
    assert "whatwg: https://bob:***@good.example\\@127.1:8080/" in out and "15-27 host state" in out
