"""check_git_url compared with live git: where it connects, and how it resolves the URL of a submodule."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from oracles.readers.git_arguments import answers
from urlsm.security import check_git_url, git_urls

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")

ALLOWED = [
    *("https://good.example/a/b.git", "https://GOOD.example:443/a", "git@good.example:a/b.git", "good.example:/a"),
    *("ssh://git@good.example:22/~me/a", "git+ssh://good.example/a", "[git@good.example:22]:a", "git://good.example/a"),
]
BASES = ["https://good.example/team/project.git", "git@good.example:team/project.git", "ssh://good.example/a/b/"]
SUBMODULES = ["../library.git", "./../../other/a/", "../../../x/y", "../../../../x"]


def test_live_git_connects_to_the_allowed_host():
    for text, seen in zip(ALLOWED, answers(ALLOWED), strict=True):
        assert check_git_url(text, allowed_hosts=["good.example"]).allowed
        assert seen is not None and (seen[2] or "").lower() == "good.example", text


def test_live_git_resolves_submodules_alike(tmp_path):
    """The URL that `git submodule init` writes is the one that is judged."""

    def git(*arguments: str) -> str:
        return subprocess.run(["git", *arguments], cwd=tmp_path, capture_output=True, text=True).stdout.strip()

    git("init", "-q")
    git("update-index", "--add", "--cacheinfo", "160000,e69de29bb2d1d6434b8b29ae775ad8c2e48c5391,m")
    for base in BASES:
        git("config", "remote.origin.url", base)
        for url in SUBMODULES:
            (tmp_path / ".gitmodules").write_text(f'[submodule "m"]\n\tpath = m\n\turl = {url}\n')
            git("config", "--remove-section", "submodule.m")
            git("submodule", "init")
            found = git("config", "submodule.m.url")
            ours = git_urls._resolved(url, base)
            if ours is not None:
                assert ours == found, (base, url)
            elif found:
                theirs, home = answers([found, base])
                assert theirs is not None and home is not None and theirs[:4] != home[:4], (base, url, found)
