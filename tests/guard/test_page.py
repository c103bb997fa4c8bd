"""docs/safe-fetch.md: its recipes, run against a server on loopback."""

from __future__ import annotations

import asyncio
import inspect
import pathlib
import re
from contextlib import contextmanager

import pytest
from support.listening import Names

import urlsm.guard
from urlsm.guard import Policy

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/safe-fetch.md"
PORT_OF_NOBODY = 1  # tcpmux
BLOCKS = re.findall(r"^```py\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)
RECIPES = [recipe for recipe in BLOCKS if "proxy=" not in recipe]
[WITH_PROXY] = [recipe for recipe in BLOCKS if "proxy=" in recipe]


each_recipe = pytest.mark.parametrize(
    "recipe", RECIPES, ids=[re.findall(r"def (\w+)", recipe)[-1] for recipe in RECIPES]
)


@contextmanager
def running(recipe, server, monkeypatch, **limits):
    """Run a recipe for the server, and yield the name of its function and what calls it."""
    pytest.importorskip(re.findall(r"(httpx|requests|aiohttp|urllib)_\w+\(", recipe)[0])
    names = Names(monkeypatch)
    names["open.example.com"] = ["127.77.0.1"]
    names["inside.example.com"] = names["localhost"] = ["127.0.0.1"]

    def policy(**options):
        ports = {server.port, PORT_OF_NOBODY}
        options |= {"ports": ports, "schemes": ("http", "https"), **limits}
        return Policy(["public", "127.77.0.0/16"], **options)

    monkeypatch.setattr(urlsm.guard, "Policy", policy)
    found: dict[str, object] = {}
    exec(compile(recipe, PAGE.name, "exec"), found)
    name = re.findall(r"def (\w+)", recipe)[-1]

    def call(url):
        answer = found[name](url, {"a": 1}) if name == "deliver" else found[name](url)
        return asyncio.run(answer) if inspect.isawaitable(answer) else answer

    yield name, call
    for closed in ("CLIENT", "OPENER"):
        if closed in found:
            found[closed].close()


def answers_no(name, call, url):
    """Return whether a recipe says in its own way that it has no answer; what it does not catch is a failure."""
    try:
        answer = call(url)
    except ValueError as error:
        return name in ("image", "metadata") and (error.__cause__ is not None or str(error) == "not an image")
    return answer is False if name == "deliver" else str(answer).startswith("not fetched: ")


@each_recipe
def test_a_recipe(recipe, server, monkeypatch):
    with running(recipe, server, monkeypatch) as (name, call):
        for host in ("inside.example.com", "127.0.0.1", "localhost"):
            assert answers_no(name, call, server.url("/a", host))
        assert not server.connections
        try:
            assert call(server.url("/ok", "open.example.com")) in ("fine", True)
        except ValueError:  # the content is not an image, not JSON
            assert name in ("image", "metadata")
        assert [seen.method for seen in server.requests] == ["POST" if name == "deliver" else "GET"]


@each_recipe
def test_a_recipe_and_a_dead_host(recipe, server, monkeypatch):
    """There is no such name, nobody listens, the answer does not come, ends too early, or is none."""
    with running(recipe, server, monkeypatch, total_timeout=0.5) as (name, call):
        assert answers_no(name, call, server.url("/ok", "unknown.example.com"))
        assert answers_no(name, call, f"http://open.example.com:{PORT_OF_NOBODY}/ok")
        for path in ("/silent", "/drip", "/line", "/broken", "/short", "/nothing", "/garbage"):
            assert answers_no(name, call, server.url(path, "open.example.com")), path


def test_the_recipe_with_a_proxy(server, monkeypatch):
    """The proxy does not resolve: nothing is fetched around it."""
    with running(WITH_PROXY, server, monkeypatch) as (_, call):
        for host in ("open.example.com", "inside.example.com", "127.0.0.1"):
            assert call(server.url("/ok", host)) is None
        assert not server.connections
