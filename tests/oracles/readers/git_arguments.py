"""What live git makes of texts that name a repository. Nothing is contacted: ssh, git's proxy, the program at the other
end and the helpers are stand-ins that write down their arguments, and fail.

python -m oracles.readers.git_arguments < TEXTS    in tests/: one JSON string a line; prints, as the other programs that
                                                   ask readers, {"git": [scheme, userinfo, host, port, path, query,
                                                   fragment]} or {"git": ["!", class, message]} a line. A null: git
                                                   cannot be asked
python -m oracles.readers.git_arguments --compare < TEXTS    prints each text that urlsm reads otherwise, and a count;
 with --record DATE, it is written to urlsm/readers/proofs.py
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

Answer = list["str | None"]

HELPERS = ("ftp", "ftps", "http", "https")  # but for ext and fd, which are parts of git
# a stand-in writes its name and its arguments, each before a NUL; git's proxy also what it is sent
STAND_IN = '#!/bin/sh\nprintf "%s\\0" "${0##*/}" "$@" >> "$RECORD"\n'
PROXY = STAND_IN + 'length=$(dd bs=1 count=4 2>/dev/null)\ndd bs=1 count=$((0x$length - 4)) >> "$RECORD" 2>/dev/null\n'
SSH_OPTIONS_WITH_VALUE = ("-o", "-p")
SETTINGS = ("-c", "credential.useHttpPath=true", "-c", "credential.protectProtocol=false")


class Git:
    """Live git in a folder of its own."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.record = folder / "record"
        stand_ins = folder / "stand-ins"
        stand_ins.mkdir()
        for name in ("ssh", "proxy", "pack", *(f"git-remote-{helper}" for helper in HELPERS)):
            path = stand_ins / name
            path.write_text((PROXY if name == "proxy" else STAND_IN) + "exit 1\n")
            path.chmod(0o755)
        self.pack = str(stand_ins / "pack")
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "LC_ALL": "C",
            "RECORD": str(self.record),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_EXEC_PATH": str(stand_ins),
            "GIT_SSH": str(stand_ins / "ssh"),
            "GIT_SSH_VARIANT": "ssh",
            "GIT_PROXY_COMMAND": str(stand_ins / "proxy"),
        }
        (folder / "work").mkdir()

    def run(self, *arguments: bytes | str, given: bytes = b"", **environment: str) -> tuple[list[bytes], str]:
        """Run git, and return what the stand-ins wrote, and its message."""
        self.record.write_bytes(b"")
        done = subprocess.run(
            ["git", *arguments],
            cwd=self.folder / "work",
            env={**self.environment, **environment},
            input=given,
            capture_output=True,
            timeout=20,
        )
        return self.record.read_bytes().split(b"\0")[:-1], done.stderr.decode("utf-8", "replace")

    def answer(self, text: str) -> Answer | None:
        argument = text.encode("utf-8", "surrogateescape")
        if b"\0" in argument:
            return ["!", "characters", "NUL"]
        if argument.startswith((b"fd::", b"fd://")):  # its helper would wait for the other end
            address = argument.removeprefix(b"fd::")
            _, message = self.run("remote-fd", "-", address, GIT_EXEC_PATH=self._exec_path())
            if "Bad URL syntax" in message:
                return ["!", "refused", message[:50]]
            return ["fd", None, None, None, address.decode("utf-8", "surrogateescape"), None, None]
        written, message = self.run(
            "-c", "protocol.version=0", "ls-remote", f"--upload-pack={self.pack}", argument
        )  # fmt: skip
        if argument.startswith(b"git:") and "strange" in message:
            return None  # only refused because there is a proxy
        if not written:
            return ["!", "refused", message[:50]]
        name, *rest = written
        found: list[bytes | None] | None
        if name == b"ssh":
            found = self._ssh(rest)
        elif name == b"proxy":
            # host, port; the request: "git-upload-pack PATH", "host=HOST"
            host, port, request = rest[:3]
            explicit = b":" + port in written[4] if len(written) > 4 else True
            path = request.removeprefix(self.pack.encode() + b" ")
            found = [b"git", None, host, port if explicit and self._has_port(rest) else None, path, None, None]
        elif name == b"pack":
            found = [b"file" if argument.startswith(b"file://") else None, None, None, None, rest[0], None, None]
        else:
            found = self._credentials(rest[1])
        if found is None:
            return ["!", "refused", name.decode()]
        return [None if part is None else part.decode("utf-8", "surrogateescape") for part in found]

    @staticmethod
    def _has_port(rest: list[bytes]) -> bool:
        """Return whether the request's host, which is as in the text, has a port."""
        stated = rest[3].removeprefix(b"host=")
        return stated.endswith(b":" + rest[1])

    @staticmethod
    def _ssh(arguments: list[bytes]) -> list[bytes | None]:
        port = None
        at = 0
        while arguments[at].startswith(b"-"):
            if arguments[at] == b"-p":
                port = arguments[at + 1]
            at += 2 if arguments[at].decode() in SSH_OPTIONS_WITH_VALUE else 1
        userinfo, at_sign, host = arguments[at].rpartition(b"@")
        command = arguments[at + 1].decode("utf-8", "surrogateescape")
        path = shlex.split(command)[1].encode("utf-8", "surrogateescape")
        return [b"ssh", userinfo if at_sign else None, host, port, path, None, None]

    @staticmethod
    def _exec_path() -> str:
        return subprocess.run(["git", "--exec-path"], capture_output=True, text=True).stdout.strip()

    def _credentials(self, url: bytes) -> list[bytes | None] | None:
        """Ask for what credentials are asked; None if git refuses the URL. A newline cannot be handed over."""
        if b"\n" in url or url.endswith(b"\r"):
            return [b"?"]
        self.record.write_bytes(b"")
        helper = '!f() { cat > "$RECORD"; printf "%s\\0" >> "$RECORD"; echo username=-; echo password=-; }; f'
        done = subprocess.run(
            ["git", *SETTINGS, "-c", f"credential.helper={helper}", "credential", "fill"],
            cwd=self.folder / "work",
            env={**self.environment, "GIT_EXEC_PATH": self._exec_path()},
            input=b"url=" + url + b"\n\n",
            capture_output=True,
            timeout=20,
        )
        asked = self.record.read_bytes().rstrip(b"\0")
        lines = dict(line.split(b"=", 1) for line in (asked or done.stdout).split(b"\n") if b"=" in line)
        if not lines or done.returncode:
            return None
        userinfo = lines.get(b"username")
        if b"password" in lines:
            userinfo = (userinfo or b"") + b":" + lines[b"password"]
        host, colon, port = lines[b"host"].rpartition(b":")
        if not colon or not port.isdigit() or b"]" in port:
            host, port = lines[b"host"], b""
        return [lines[b"protocol"], userinfo, host, port or None, lines.get(b"path"), None, None]


def answers(texts: list[str]) -> Iterator[Answer | None]:
    with tempfile.TemporaryDirectory() as folder:
        git = Git(Path(folder))
        subprocess.run(["git", "init", "-q", folder + "/work"], check=True)
        for text in texts:
            yield git.answer(text)


def main() -> None:
    texts = [json.loads(line) for line in sys.stdin]
    if "--compare" not in sys.argv:
        for answer in answers(texts):
            print(json.dumps({"git": answer}))
        return
    from oracles.replay import write_proofs
    from urlsm.readers.programs import number, program

    git = program("git")
    asked = equal = 0
    for text, answer in zip(texts, answers(texts), strict=True):
        if answer is None or answer == ["?"]:
            continue
        ours = git.read(text, number(git.releases[-1]))
        asked += 1
        if (answer[0] == "!") if isinstance(ours, str) else (list(ours) == answer):
            equal += 1
        else:
            print(f"{text!r}\n  live {answer}\n  ours {ours}")
    print(f"{equal} / {asked}")
    if "--record" in sys.argv:
        write_proofs(sys.argv[sys.argv.index("--record") + 1], {("git", git.releases[-1]): (asked, equal)})


if __name__ == "__main__":
    main()
