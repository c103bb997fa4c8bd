"""docs/guard.md: its recipes, run against a server on loopback."""

from __future__ import annotations

import asyncio
import inspect
import pathlib
import re

import pytest
from support.listening import Names, Server

import urlsm.guard
from urlsm.guard import Policy, Refused

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/guard.md"
RECIPES = re.findall(r"^```py\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.M | re.S)


@pytest.mark.parametrize("recipe", RECIPES, ids=[re.findall(r"def (\w+)", recipe)[-1] for recipe in RECIPES])
def test_a_recipe(recipe, monkeypatch):
    pytest.importorskip(re.findall(r"Policy, (\w+)", recipe)[0])
    server = Server()
    names = Names(monkeypatch)
    names["open.example.com"] = ["127.77.0.1"]
    names["inside.example.com"] = names["localhost"] = ["127.0.0.1"]

    def policy(**options):
        return Policy(["public", "127.77.0.0/16"], **{**options, "ports": {server.port}, "schemes": ("http", "https")})

    monkeypatch.setattr(urlsm.guard, "Policy", policy)
    found: dict[str, object] = {}
    exec(compile(recipe, PAGE.name, "exec"), found)
    name = re.findall(r"def (\w+)", recipe)[-1]

    def call(url):
        answer = found[name](url, {"a": 1}) if name == "deliver" else found[name](url)
        return asyncio.run(answer) if inspect.isawaitable(answer) else answer

    for host in ("inside.example.com", "127.0.0.1", "localhost"):
        try:
            assert "not fetched" in call(server.url("/a", host))
        except Refused as refused:
            assert name != "fetch" and refused.verdict.codes
    assert not server.connections
    try:
        assert call(server.url("/ok", "open.example.com")) in ("fine", 200)
    except ValueError:  # the content is not an image, not JSON
        assert name in ("image", "metadata")
    assert [seen.method for seen in server.requests] == ["POST" if name == "deliver" else "GET"]
    for closed in ("CLIENT", "OPENER"):
        if closed in found:
            found[closed].close()
    server.close()
