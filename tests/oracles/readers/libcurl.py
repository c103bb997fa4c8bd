"""What libcurl sees in texts, by ctypes. With hook.c before the C library, also where a transfer connects; nothing is
contacted, and without the hook no transfer is tried.

LD_PRELOAD=hook.so python libcurl.py [FILE] < TEXTS    one JSON string a line; prints as libraries.py does. FILE: the
library (default: libcurl.so.4). IDN needs a UTF-8 locale
"""

from __future__ import annotations

import ctypes
import json
import locale
import sys

# curl/urlapi.h and curl/curl.h
NON_SUPPORT_SCHEME, GUESS_SCHEME = 1 << 3, 1 << 9
URL, SCHEME, USER, PASSWORD, HOST, PORT, PATH, QUERY, FRAGMENT, ZONE = 0, 1, 2, 3, 5, 6, 7, 8, 9, 10
WRITE_FUNCTION, TIMEOUT, DNS_CACHE_TIMEOUT, NO_SIGNAL = 20011, 13, 92, 99
OPTION_URL, OPTION_PROTOCOLS, OPTION_NO_PROXY = 10002, 10318, 10177
PROTOCOLS = b"http,https,ftp,ws,wss,gopher,ldap"

locale.setlocale(locale.LC_ALL, "")
curl = ctypes.CDLL(sys.argv[1] if len(sys.argv) > 1 else "libcurl.so.4")
here = ctypes.CDLL(None)
for made in (curl.curl_url, curl.curl_easy_init):
    made.restype = ctypes.c_void_p
curl.curl_version.restype = ctypes.c_char_p
handle = ctypes.c_void_p(curl.curl_easy_init())
hooked = hasattr(here, "hooked_clear")
sink = ctypes.CFUNCTYPE(ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p)(
    lambda start, size, count, given: size * count
)


def part_of(url, part):
    found = ctypes.c_char_p()
    if curl.curl_url_get(url, part, ctypes.byref(found), 0) or found.value is None:
        return None
    text = found.value.decode("utf-8", "surrogateescape")
    curl.curl_free(found)
    return text


def read(text):
    url = ctypes.c_void_p(curl.curl_url())
    try:
        refused = curl.curl_url_set(url, URL, text, GUESS_SCHEME | NON_SUPPORT_SCHEME)
        if refused:
            return ["!", str(refused)]
        user, password = part_of(url, USER), part_of(url, PASSWORD)
        userinfo = (
            None if user is None and password is None else (user or "") + ("" if password is None else f":{password}")
        )
        host, zone = part_of(url, HOST), part_of(url, ZONE)
        if host is not None and zone is not None:
            host = f"{host[:-1]}%{zone}]"
        return [part_of(url, SCHEME), userinfo, host, *[part_of(url, part) for part in (PORT, PATH, QUERY, FRAGMENT)]]
    finally:
        curl.curl_url_cleanup(url)


def option(number, value):
    curl.curl_easy_setopt(handle, number, value)


def connect(text):
    here.hooked_clear()
    curl.curl_easy_reset(handle)
    option(OPTION_URL, text)
    option(OPTION_PROTOCOLS, PROTOCOLS)
    option(OPTION_NO_PROXY, b"*")
    option(WRITE_FUNCTION, sink)
    for number, value in ((TIMEOUT, 2), (NO_SIGNAL, 1), (DNS_CACHE_TIMEOUT, 0)):
        option(number, ctypes.c_long(value))
    failed = curl.curl_easy_perform(handle)
    if not here.hooked_asked():
        return ["!", str(failed)]
    names = (ctypes.c_char * 4096).in_dll(here, "hooked_host"), (ctypes.c_char * 64).in_dll(here, "hooked_port")
    return [None, None, *[name.value.decode("utf-8", "surrogateescape") for name in names], None, None, None]


for line in sys.stdin:
    text = json.loads(line).encode()
    answers = {"curl": ["!", "NUL"] if b"\0" in text else read(text)}
    if hooked:
        answers["curl>"] = ["!", "NUL"] if b"\0" in text else connect(text)
    print(json.dumps(answers))
version = curl.curl_version().split()[0].partition(b"/")[2].decode()
print(json.dumps({"curl": version, "curl>": version}), file=sys.stderr)
