"""Tomcat and Jetty, embedded: servlets for /admin, /admin/* and /."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from oracles.hops.programs import Begun, Listener, Program
from oracles.hops.sockets import free_ports

HERE = Path(__file__).parent
TOMCAT: list[dict[str, Any]] = [
    {},
    {"encodedSolidusHandling": "decode"},
    {"encodedSolidusHandling": "passthrough"},
    {"allowBackslash": True},
]
JETTY: list[tuple[dict[str, Any], str]] = [({}, "RFC7230,false"), ({"compactPath": True}, "RFC7230,true")]


def jars(pattern: str) -> list[Path]:
    """Return the archives of this name in the folders of CLASSPATH, or in /usr/share/java."""
    folders = [entry.removesuffix("*") for entry in os.environ.get("CLASSPATH", "/usr/share/java/*").split(os.pathsep)]
    return [path for folder in folders if folder for path in sorted(Path(folder).glob(pattern))]


def tomcat(java: str, archives: Sequence[Path], folder: Path, upstream: int) -> Begun:
    ports = free_ports(len(TOMCAT))
    words = []
    for options, port in zip(TOMCAT, ports, strict=True):
        pairs = [f"{name}={str(value).lower()}" for name, value in options.items()]
        words.append(",".join([str(port), *pairs]))
    command = [java, "-Xmx512m", "-cp", os.pathsep.join(map(str, archives)), str(HERE / "TomcatHops.java"), str(folder)]
    return Begun([*command, *words], [Listener(options, port) for options, port in zip(TOMCAT, ports, strict=True)])


def jetty(java: str, archives: Sequence[Path], folder: Path, upstream: int) -> Begun:
    ports = free_ports(len(JETTY))
    words = [f"{port},{words}" for (_, words), port in zip(JETTY, ports, strict=True)]
    command = [java, "-Xmx512m", "-cp", os.pathsep.join(map(str, archives)), str(HERE / "JettyHops.java"), *words]
    return Begun(command, [Listener(options, port) for (options, _), port in zip(JETTY, ports, strict=True)])


def installed() -> Iterator[Program]:
    java = shutil.which("java")
    if java is None:
        return
    for major in ("10", "11"):
        for core in jars(f"tomcat{major}-embed-core-[0-9]*.jar"):
            version = re.findall(r"[0-9]+(?:\.[0-9]+)+", core.name)[0]
            archives = [core, *jars(f"tomcat{major}-annotations-api-{version}.jar")]
            yield Program("tomcat", version, partial(tomcat, java, archives))
    for core in jars("jetty9-server-[0-9]*.jar"):
        version = re.findall(r"[0-9]+\.[0-9]+\.[0-9]+", core.name)[0]
        names = ("server", "servlet", "security", "http", "io", "util", "util-ajax")
        archives = [path for name in names for path in jars(f"jetty9-{name}-{version}*.jar")]
        yield Program("jetty", version, partial(jetty, java, [*archives, *jars("servlet-api-4*.jar")]))
