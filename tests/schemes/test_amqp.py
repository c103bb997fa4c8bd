"""amqp and amqps: the RabbitMQ URI specification, beyond the vectors."""

from __future__ import annotations

import pytest
from support.checks import check_normal_form, noted

import urlsm
from urlsm.schemes.messaging.amqp import AmqpParts

HANDLER = urlsm.handler("amqp")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        *((f"amqp://{rest}", []) for rest in ("@", ":@", "u:@h", "h/%2f%2F", "h/a:b@c", "h?a=b&c", "h:/", "[::1]/v")),
        ("amqp://a::b@h", [("character-not-allowed", 9)]),  # beside the delimiter
        ("amqp://:a:@h", [("character-not-allowed", 9)]),
        ("amqp://a@:@h", [("character-not-allowed", 8)]),
        ("amqp://h//", [("amqp-vhost-multiple-segments", 9)]),
        ("amqp://h/a/b/[", [("amqp-vhost-multiple-segments", 10), ("character-not-allowed", 13)]),
        ("amqp:/h", [("authority-missing", 5)]),
        ("amqps://h/v#x", [("fragment-ignored", 11)]),
        ("amqp://h:65536/%", [("port-out-of-range", 9), ("bad-percent-escape", 15)]),
    ],
)
def test_violations(text, wanted):
    assert noted(text) == wanted


def test_no_path_is_another_virtual_host_than_the_empty_one():
    assert [urlsm.parts(f"amqp://h{path}").vhost for path in ("", "/", "/%2F", "/v")] == [None, "", "/", "v"]
    assert [HANDLER.build(host="h", vhost=v) for v in (None, "", "/")] == ["amqp://h", "amqp://h/", "amqp://h/%2F"]


def test_parts_of_a_url_are_lenient():
    assert urlsm.parse("amqp://a:b:c@H/v w/x?[]").parts == AmqpParts("a", "b:c", "h", None, "v w/x", (("[]", None),))
    assert urlsm.parse("amqp:v").parts.vhost == "v"
    assert urlsm.parse("amqp://guest@localhost//").parts.vhost == "/"  # as Celery writes it


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("AMQP://U%61@H:5672/%2f?", "amqp://Ua@h/%2F"),
        ("amqp://:5672", "amqp://"),
        ("amqps://h:5672/.", "amqps://h:5672/."),  # no dot segment: the virtual host "."
        ("amqps://h:5671/../a", "amqps://h/../a"),
    ],
)
def test_normal_forms(text, normal):
    check_normal_form(text, normal)


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("amqp://h/v?", "amqp://h/v", True),
        ("amqp://h/%40", "amqp://h/@", True),
        ("amqp://h", "amqp://h/", False),
        ("amqp://h/v", "amqp://h/V", False),
        ("amqp://u@h", "amqp://u:@h", False),
        ("amqp://h", "amqps://h", False),
    ],
)
def test_equivalence(a, b, same):
    assert urlsm.equivalent(a, b) is same


def test_build():
    assert (
        HANDLER.build(username="a:b", password=":@/", vhost="é/\r\n\0%")
        == "amqp://a%3Ab:%3A%40%2F@/%C3%A9%2F%0D%0A%00%25"
    )
    assert HANDLER.build(scheme="amqp", port=1, query_params=[("heartbeat", "10")]) == "amqp://:1?heartbeat=10"
    assert urlsm.handler("amqps").build(host="h") == "amqps://h"
    for wrong in ({"vhost": "\ud800"}, {"port": 65536}, {"host": "["}, {"port": "/x"}):
        try:
            text = HANDLER.build(**wrong)
        except ValueError:
            continue
        assert text == "amqp://%5B"
