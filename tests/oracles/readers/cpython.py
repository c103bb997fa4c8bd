"""What urllib.parse and urllib.request of the running CPython, 3.6 or later, see in texts. Nothing is contacted.

PYTHON cpython.py < TEXTS    one JSON string a line; prints as libraries.py does
"""

import json
import socket
import sys
import urllib.request
from urllib.parse import urlsplit

asked = []


def resolve(host, port, *_, **__):
    """Stand for socket.getaddrinfo: write down the host and port, and fail."""
    asked.append([host.decode("latin-1") if isinstance(host, bytes) else host, str(port)])
    raise socket.gaierror(-2, "stop")


def parse(text):
    url = urlsplit(text)
    host = url.hostname
    try:
        port = None if url.port is None else str(url.port)
    except ValueError as error:
        port = "!" + str(error)[:40]
    userinfo = url.netloc.rpartition("@")[0] if "@" in url.netloc else None
    return [url.scheme, userinfo, host, port, url.path, url.query, url.fragment]


def request(text):
    """The host and port that urlopen resolves, and the request's selector."""
    del asked[:]
    wanted = urllib.request.Request(text)
    if (wanted.type or "").lower() not in ("http", "https"):
        return [wanted.type, None, wanted.host, None, wanted.selector, None, wanted.fragment]
    try:
        opener.open(wanted, timeout=1)
    except Exception:
        if not asked:
            raise
    return [wanted.type, None, asked[0][0], asked[0][1], wanted.selector, None, wanted.fragment]


socket.getaddrinfo = resolve
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
for line in sys.stdin:
    text, answers = json.loads(line), {}
    for name, read in (("urllib.parse", parse), ("urllib.request", request)):
        try:
            answers[name] = read(text)
        except Exception as error:
            answers[name] = ["!", type(error).__name__]
    print(json.dumps(answers))
version = ".".join(map(str, sys.version_info[:3]))
sys.stderr.write(json.dumps({"urllib.parse": version, "urllib.request": version}) + "\n")
