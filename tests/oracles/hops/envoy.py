"""Envoy: a route's prefix; normalize_path, merge_slashes, path_with_escaped_slashes_action, and prefix_rewrite."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from oracles.hops.programs import Begun, Listener, Program, executables, packaged, says
from oracles.hops.sockets import free_ports

ACTIONS = ["KEEP_UNCHANGED", "REJECT_REQUEST", "UNESCAPE_AND_REDIRECT", "UNESCAPE_AND_FORWARD"]
READING: list[dict[str, Any]] = [
    {},
    {"normalize_path": True},
    {"merge_slashes": True},
    {"normalize_path": True, "merge_slashes": True},
    *[{"path_with_escaped_slashes_action": action} for action in ACTIONS[1:]],
    *[
        {"normalize_path": True, "merge_slashes": True, "path_with_escaped_slashes_action": action}
        for action in ACTIONS[1:]
    ],
]
REWRITE = {"prefix_rewrite": "/m/"}


def said(letter: str, prefix: str) -> dict[str, Any]:
    """A route that answers with a letter and the path. The router matches without the query."""
    line = {"text_format_source": {"inline_string": f"{letter}%PATH(NQ:PATH)%"}}
    return {"match": {"prefix": prefix}, "direct_response": {"status": 200, "body_format": line}}


def listener(port: int, options: dict[str, Any], routes: list[dict[str, Any]]) -> dict[str, Any]:
    kind = "type.googleapis.com/envoy.extensions.filters"
    manager = {
        "@type": f"{kind}.network.http_connection_manager.v3.HttpConnectionManager",
        "stat_prefix": "h",
        "route_config": {"virtual_hosts": [{"name": "h", "domains": ["*"], "routes": routes}]},
        "http_filters": [{"name": "router", "typed_config": {"@type": f"{kind}.http.router.v3.Router"}}],
        "generate_request_id": False,
        "delayed_close_timeout": "0s",
        **options,
    }
    return {
        "address": {"socket_address": {"address": "127.0.0.1", "port_value": port}},
        "filter_chains": [{"filters": [{"name": "http", "typed_config": manager}]}],
    }


def begin(envoy: str, folder: Path, upstream: int) -> Begun:
    asked = [said("A", "/admin"), said("O", "/")]
    pairs: list[dict[str, Any]] = []
    listeners = []
    for options in READING:
        port, proxy, rewriting, stripping = free_ports(4)
        to = {"cluster": "up", "timeout": "60s"}
        pairs.append(listener(port, options, asked))
        pairs.append(listener(proxy, options, [{"match": {"prefix": "/"}, "route": to}]))
        listeners.append(Listener(options, port, proxy))
        if len(options) < 2:
            pairs.append(listener(rewriting, options, [{"match": {"prefix": "/"}, "route": {**to, **REWRITE}}]))
            listeners.append(Listener({**options, **REWRITE}, port, rewriting))
            below = {"match": {"prefix": "/x/"}, "route": {**to, "prefix_rewrite": "/"}}
            pairs.append(listener(stripping, options, [below]))
            listeners.append(Listener({**options, "strip": "/x"}, port, stripping))
    end = {"endpoint": {"address": {"socket_address": {"address": "127.0.0.1", "port_value": upstream}}}}
    up = {
        "name": "up",
        "type": "STATIC",
        "load_assignment": {"cluster_name": "up", "endpoints": [{"lb_endpoints": [end]}]},
    }
    (folder / "envoy.json").write_text(json.dumps({"static_resources": {"listeners": pairs, "clusters": [up]}}))
    command = [envoy, "-c", str(folder / "envoy.json"), "--concurrency", "1", "--disable-hot-restart", "-l", "critical"]
    return Begun(command, listeners)


def installed() -> Iterator[Program]:
    for path in executables("envoy", *packaged("envoy", "_bin/envoy")):
        if version := says([path, "--version"], r"/([0-9]+\.[0-9.]+)/"):
            yield Program("envoy", version, partial(begin, path))
