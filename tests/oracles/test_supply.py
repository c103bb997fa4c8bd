"""git, pip and docker-image-py, where installed, beside the handlers of repositories and images."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from typing import Any
from urllib.parse import unquote

import pytest
from support.seeds import seeded

import urlsm
from oracles.rows import Rows, judged
from oracles.test_libraries import codes, parts

pytestmark = pytest.mark.once

Seen = tuple[Any, ...] | None


# --- git: `git fetch-pack --diag-url` prints how it reads a place, and does not connect ---


def place(rng: random.Random) -> str:
    choose = rng.choice
    user = choose(["", "", "git@", "u@", "u-v@"])
    host = choose(["h", "git.example.org", "1.2.3.4", "H.example"])
    path = choose(["r", "a/r.git", "~u/r", "a/../b", "2222/r", "a%20b", "a b", "/r", "a?b", "a@b", "~"])
    form = choose(["ssh", "git", "scp", "scp", "ssh"])
    if form == "scp":
        return user + choose([host, host, "[::1]", "[h:2222]", "[h]"]) + ":" + path
    port = choose(["", "", ":22", ":2222", ":0", ":65535"])
    return f"{form}://{user if form == 'ssh' else ''}{choose([host, host, host, '[::1]'])}{port}/{path}"


def ours_of_place(text: str) -> Seen:
    if "://" not in text:
        try:
            text = urlsm.handler("ssh").from_scp(text)  # type: ignore[attr-defined]
        except ValueError:
            return None
    found = parts(text)
    if found is None:
        return None
    path = "/" + "/".join(found.segments)
    path = path.removeprefix("/~/") if path.startswith("/~/") else path[path.startswith("/~") :]
    return (text.partition(":")[0], getattr(found, "username", None), found.host, found.port, path)


def git(text: str, folder: str) -> Seen:
    done = subprocess.run(["git", "fetch-pack", "--diag-url", text], cwd=folder, capture_output=True, check=False)
    lines = dict(line.partition("=")[::2] for line in done.stdout.decode().splitlines())
    if lines.get("Diag: protocol") not in ("ssh", "git"):
        return None
    user, at, host = lines.get("Diag: userandhost", lines.get("Diag: hostandport", "")).rpartition("@")
    port = lines.get("Diag: port", "NONE")
    if "Diag: port" not in lines and not host.endswith("]") and ":" in host:
        host, _, port = host.rpartition(":")
    number = None if port == "NONE" else int(port)
    return (lines["Diag: protocol"], user if at else None, host.strip("[]").lower(), number, lines["Diag: path"])


PLACE_ROWS: Rows = {
    "what is not a URI": (
        "git takes a blank, and a query of ssh, for a part of the path; a URI has no blank, and ssh's has no query",
        lambda text, ours, theirs: ours is None and codes(text) <= {"character-not-allowed", "query-not-allowed"},
    ),
}  # fmt: skip


def test_git_sees_the_same_repository(cases, tmp_path):
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    rng = seeded("git")
    texts = sorted({place(rng) for _ in range(cases)})[:: max(cases // 2000, 1)]  # a process each
    seen = judged([(text, ours_of_place(text), git(text, str(tmp_path))) for text in texts], PLACE_ROWS)
    assert seen["agree"] > 0.4 * len(texts), seen


# --- pip ---


def requirement(rng: random.Random) -> str:
    choose = rng.choice
    scheme = choose(["git+https", "git+ssh", "git+file", "hg+https", "svn+https", "bzr+https", "git+http"])
    user = choose(["", "", "u@", "u:p@", "git@", "u:p%40q@", "u:@", ":p@"])
    host = "" if scheme == "git+file" else user + choose(["h", "h:8080", "git.example.org", "[::1]", "H.example"])
    path = choose(["/a/b.git", "/a", "/a%20b", "/~u/r", "/a/b/", "/@x/y", "/"])
    revision = choose(["", "", "@v1.0", "@main", "@a/b", "@", "@a%20b", "@x@y", "@refs/pull/1/head"])
    fragment = choose(["", "", "#egg=a", "#egg=a&subdirectory=b", "#subdirectory=a%2Fb", "#subdirectory=a/b", "#x=1"])
    return f"{scheme}://{host}{path}{revision}{choose(['', '', '', '?x=1'])}{fragment}"


def ours_of_requirement(text: str) -> Seen:
    found = parts(text)
    return None if found is None else (found.url, found.revision, found.subdirectory)


ASKING_PIP = """
import json, sys
from pip._internal.exceptions import InstallationError
from pip._internal.models.link import Link
from pip._internal.vcs.versioncontrol import VersionControl

def seen(text):
    try:
        url, revision, _ = VersionControl.get_url_rev_and_auth(text)
        return url, revision, Link(text).subdirectory_fragment
    except (ValueError, InstallationError):
        return None

print(json.dumps([seen(text) for text in json.load(sys.stdin)]))
"""


def pip(texts: list[str]) -> list[Seen]:
    """In a process of its own: setuptools does not find its distutils in one that has looked for pip."""
    asked = [sys.executable, "-c", ASKING_PIP]
    done = subprocess.run(asked, input=json.dumps(texts), capture_output=True, text=True, check=False)
    if "No module named 'pip" in done.stderr:
        pytest.skip("pip is not installed")
    return [found and tuple(found) for found in json.loads(done.stdout)]


REQUIREMENT_ROWS: Rows = {
    "no repository": (
        "pip leaves a path without a repository to the client",
        lambda text, ours, theirs: ours is None and codes(text) == {"vcs-repository-missing"},
    ),
    "a path that begins with @": (
        "pip reads a revision behind the root; our handler a repository (/@scope/name), for the root is none",
        lambda text, ours, theirs: ours and ours[1] is None and "/@" in ours[0]
        and (theirs is None or unquote(theirs[1]) == unquote(ours[0].partition("/@")[2].partition("?")[0])),
    ),
    "escapes": (
        "pip hands those of a subdirectory (before 26: and of a revision) on as they are, and nothing decodes them",
        lambda text, ours, theirs: ours and theirs and "%" in text and ours[0] == theirs[0]
        and ours[1:] == tuple([value and unquote(value) for value in theirs[1:]]),
    ),
}  # fmt: skip


def test_pip_sees_the_same_repository(cases):
    rng = seeded("pip")
    texts = [requirement(rng) for _ in range(cases)]
    rows = zip(texts, map(ours_of_requirement, texts), pip(texts), strict=True)
    seen = judged([*rows], REQUIREMENT_ROWS)
    assert seen["agree"] > 0.3 * cases, seen


# --- docker: the grammar of distribution/reference, in Python ---


def image(rng: random.Random) -> str:
    choose = rng.choice
    domain = choose(["", "", "h/", "docker.io/", "index.docker.io/", "localhost/", "h:5000/", "r.example.org/",
                     "H.org/", "r.example.org:5000/", "Host/", "[::1]:5000/", "-h.org/", "h_.org/"])  # fmt: skip
    name = choose(["alpine", "a/b", "library/x", "a__b", "a.b-c", "a--b", "a/b/c", "a___b", "A", "a..b", "-a", "a/",
                   "a//b", "f" * 64])  # fmt: skip
    tag = choose(["", "", ":1", ":v1.0-x_y", ":" + "t" * 128, ":" + "t" * 129, ":-a", ":", ":A.b"])
    digest = choose(["", "", "", "@sha256:" + "0a" * 32, "@sha256:" + "0a" * 31, "@x:0", "@sha512:" + "ab" * 64])
    return domain + name + tag + digest


def ours_of_image(text: str) -> Seen:
    found = parts("docker://" + text)
    return None if found is None else (found.registry, found.repository, found.tag, found.digest)


def docker(text: str) -> Seen:
    from docker_image import reference

    try:
        found = reference.Reference.parse_normalized_named(text)
    except Exception:  # its errors have no common base
        return None
    return (*found.split_hostname(), found["tag"], found["digest"])


IMAGE_ROWS: Rows = {
    "capitals of a registry": (
        "distribution/reference keeps them; the name of a host has no case",
        lambda text, ours, theirs: ours and theirs and ours == (theirs[0].lower(), *theirs[1:]),
    ),
}  # fmt: skip


def test_docker_sees_the_same_image(cases):
    pytest.importorskip("docker_image", reason="docker-image-py is not installed")
    rng = seeded("docker")
    texts = [image(rng) for _ in range(cases)]
    seen = judged([(text, ours_of_image(text), docker(text)) for text in texts], IMAGE_ROWS)
    assert seen["agree"] > 0.5 * cases, seen
