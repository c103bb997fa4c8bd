"""Build urlsm for another machine, and test it there, under emulation. Needs Debian (or a kin of it), and no root.

    python tools/machines.py s390x SOURCE WORK [PYTEST ARGUMENT...]

SOURCE has the C that Cython made (the folder `source` of `nox -s build`, or a built checkout). The machine's Python and
libc, Debian's cross compiler and qemu-user are unpacked into $URLSM_CACHE (default: the user's cache folder) once; what
is built goes to WORK: as released, and with UndefinedBehaviorSanitizer, which stops the program. Exits with 77, and the
reason, where it cannot run.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple, NoReturn

ROOT = Path(__file__).resolve().parents[1]
CACHE = Path(os.environ.get("URLSM_CACHE") or Path.home() / ".cache/urlsm")


class Machine(NamedTuple):
    triplet: str  # of gcc, and of Debian's folders
    emulator: str
    what: str


MACHINES = {
    "s390x": Machine("s390x-linux-gnu", "qemu-s390x-static", "64 bits, big-endian"),
    "arm64": Machine("aarch64-linux-gnu", "qemu-aarch64-static", "64 bits, NEON"),
    "armhf": Machine("arm-linux-gnueabihf", "qemu-arm-static", "32 bits"),
}
FLAGS = ("-std=c11", "-D_GNU_SOURCE", "-fPIC", "-O1", "-g0", "-fwrapv", "-DNDEBUG", "-DCYTHON_COMPRESS_STRINGS=0")
SANITIZED = ("-fsanitize=undefined", "-fno-sanitize=nonnull-attribute", "-fsanitize-undefined-trap-on-error")
BUILDS = (  # the rooms that are tested
    ("release", (), ("machine", "octets", "url", "whatwg", "stdlib", "crawler", "columns", "conformance")),
    ("sanitized", SANITIZED, ("machine", "octets", "url")),
)
NEEDED = ("pytest>=8", "pytest-timeout>=2.3", "hypothesis>=6.100", "idna>=3.14", "rich>=13", "publicsuffixlist>=1.0")


def cannot(reason: str) -> NoReturn:
    print(f"skipped: {reason}; therefore not tested")
    sys.exit(77)


def unpacked(architecture: str, *packages: str) -> Path:
    """Return a folder with the files of these packages, and of all that they need, in this Debian's own suite."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / f"{architecture}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another machine's stage may run beside
        folder = CACHE / architecture
        if not (folder / "ready").exists():
            unpack(architecture, packages, folder)
            (folder / "ready").touch()
        return folder


def unpack(architecture: str, packages: tuple[str, ...], folder: Path) -> None:
    if not shutil.which("apt-get") or not shutil.which("dpkg-deb"):
        cannot("no apt-get, which fetches compilers and interpreters")
    lists = [*Path("/etc/apt").glob("sources.list"), *Path("/etc/apt/sources.list.d").glob("*")]
    named = re.search(r"https?://\S+/debian/?(?=\s)", "\n".join(path.read_text() for path in lists))
    suite = re.search(r"VERSION_CODENAME=(\w+)", Path("/etc/os-release").read_text())
    if not named or not suite:
        cannot("apt has no source of Debian's packages")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as top:
        for name in ("lists/partial", "cache/archives/partial", "debs"):
            Path(top, name).mkdir(parents=True)
        Path(top, "status").touch()
        signed = "signed-by=/usr/share/keyrings/debian-archive-keyring.gpg"
        Path(top, "sources.list").write_text(f"deb [{signed}] {named[0]} {suite[1]} main\n")
        Path(top, "apt.conf").write_text(
            f'APT::Architecture "{architecture}"; APT::Architectures "{architecture}"; APT::Sandbox::User "root";\n'
            f'Dir::Etc::sourcelist "{top}/sources.list"; Dir::Etc::sourceparts "-"; Acquire::Languages "none";\n'
            f'Dir::State "{top}"; Dir::State::Lists "{top}/lists"; Dir::State::status "{top}/status";\n'
            f'Dir::Cache "{top}/cache";\n'
        )

        def apt(*words: str) -> str:
            variables = {**os.environ, "APT_CONFIG": f"{top}/apt.conf", "LC_ALL": "C"}
            done = subprocess.run(
                ["apt-get", "-q", *words], cwd=f"{top}/debs", env=variables, capture_output=True, text=True
            )
            if done.returncode:
                cannot(f"apt-get {words[0]} said {done.stderr.strip()[-200:]!r}")
            return done.stdout

        apt("update")
        uris = apt("install", "--print-uris", "--no-install-recommends", "-y", *packages)
        apt("download", *sorted(set(re.findall(r"^'\S+' ([^_]+)_", uris, re.MULTILINE))))
        for package in Path(top, "debs").glob("*.deb"):
            subprocess.run(["dpkg-deb", "-x", str(package), str(folder)], check=True)


def libraries(source: Path) -> dict[Path, list[Path]]:
    """Return the C that each library is linked from: a module's own, and for urlsm/_core that of all that it makes."""
    core = source / "urlsm/_core.pyx"
    names = re.findall(r'^make\("([\w.]+)"', core.read_text(encoding="utf-8"), re.MULTILINE)
    within = [source / f"{name.replace('.', '/')}.c" for name in names]
    made = [source / "urlsm/_cython.c", *(path.with_suffix(".c") for path in source.glob("urlsm/**/*.pyx"))]
    return {path: [path, *within] if path.stem == "_core" else [path] for path in made if path not in within}


def compile_all(command: list[str], source: Path, target: Path, suffix: str) -> list[Path]:
    """Compile each library's C in source, or with -c each file, to a file of target: the same path with this suffix."""
    parts = libraries(source)
    if not all(path.exists() for path in parts):
        sys.exit(f"{source} has no C: build first")
    if "-c" in command:
        parts = {path: [path] for paths in parts.values() for path in paths}
    first = sorted(parts, key=lambda path: -sum(part.stat().st_size for part in parts[path]))

    def compiled(path: Path) -> Path:
        made = target / path.relative_to(source).with_suffix(suffix)
        made.parent.mkdir(parents=True, exist_ok=True)
        files = [str(part.relative_to(source)) for part in parts[path]]
        here = ["-I.", "-Iurlsm", *files, "-o", str(made)]
        done = subprocess.run([*command, *here], cwd=source, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{path.relative_to(source)}\n{done.stderr}")
        return made

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(compiled, first))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("machine", choices=MACHINES)
    parser.add_argument("source", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--only", choices=[build for build, _, _ in BUILDS], help="one of the two builds")
    given, arguments = parser.parse_known_args()
    machine, work, source = MACHINES[given.machine], given.work.resolve(), given.source.resolve()
    if platform.machine() != "x86_64":
        cannot("the cross compilers are Debian's for x86-64")
    root = unpacked(given.machine, "python3", "libpython3-dev", "libgcc-s1")
    compilers = [f"gcc-{machine.triplet.replace('_', '-')}" for machine in MACHINES.values()]
    tools = unpacked("amd64", *compilers, "qemu-user-static")
    python = next(path for path in (root / "usr/bin").glob("python3.*") if path.name.count("-") == 0)
    version = python.name.removeprefix("python3.")

    # the compiler with its own libraries; and Python, which tests start as sys.executable
    work.mkdir(parents=True, exist_ok=True)
    libraries = next((tools / "usr/lib").glob("*/libmpc.so.3")).parent
    compiler = work / "gcc"
    compiler.write_text(
        f'#!/bin/sh\nLD_LIBRARY_PATH="{libraries}" PATH="{tools}/usr/bin:$PATH" exec {machine.triplet}-gcc '
        f'--sysroot="{root}" "$@"\n'
    )
    interpreter = work / "python"
    interpreter.write_text(
        f'#!/bin/sh\nPYTHONHOME="{root}/usr" exec "{tools}/usr/bin/{machine.emulator}" -L "{root}" "{python}" "$@"\n'
    )
    for path in (compiler, interpreter):
        path.chmod(0o755)

    needed = work / "needed"  # by the tests
    if not (needed / "sitecustomize.py").exists():  # the last of its files
        shutil.rmtree(needed, ignore_errors=True)
        any_machine = ("--only-binary=:all:", "--platform=any", "--implementation=py", "--abi=none")
        install = (sys.executable, "-m", "pip", "install", "-q", *any_machine, f"--python-version=3.{version}")
        subprocess.run([*install, "--target", needed, *NEEDED], check=True)
        Path(needed, "sitecustomize.py").write_text(f"import sys\n\nsys.executable = {str(interpreter)!r}\n")
    tested = work / "tested"
    shutil.rmtree(tested, ignore_errors=True)
    tested.mkdir()
    for name in ("tests", "docs"):
        shutil.copytree(source / name, tested / name)
    for path in (*source.glob("*.md"), source / "pyproject.toml"):
        shutil.copy2(path, tested)
    if (ROOT.parent / "shared").is_dir() and not (work / "shared").exists():  # test data beside the checkout
        (work / "shared").symlink_to(ROOT.parent / "shared", target_is_directory=True)

    failed = 0
    for build, more, rooms in BUILDS:
        if given.only not in (None, build):
            continue
        # the headers that read many octets at once, as C
        flags = [str(compiler), *FLAGS, *more]
        program = work / "widths"
        widths = ["-O2", "-static", "-Iurlsm", "tests/support/widths.c", "-o", str(program)]
        subprocess.run([*flags, *widths], cwd=source, check=True)
        subprocess.run([tools / "usr/bin" / machine.emulator, program], check=True)

        # the package: Python's files, and the modules
        site = work / build
        shutil.rmtree(site, ignore_errors=True)
        kept = shutil.ignore_patterns("*.so", "*.c", "*.pyx", "__pycache__")
        shutil.copytree(source / "urlsm", site / "urlsm", ignore=kept)
        shutil.copytree(source / "schemes", site / "urlsm/schemes", ignore=kept, dirs_exist_ok=True)
        linked = [*flags, "-shared", "-s", f"-I{root}/usr/include/python3.{version}"]
        modules = compile_all(linked, source, site, f".cpython-3{version}-{machine.triplet}.so")

        variables = {**os.environ, "PYTHONPATH": f"{site}:{needed}", "PYTHONDONTWRITEBYTECODE": "1"}
        told = "import sys, urlsm; print(urlsm.parse('https://ex.org/a?b#c').host, sys.byteorder, sys.version)"
        subprocess.run([interpreter, "-c", told], env=variables, cwd=tested, check=True)
        print(
            f"{given.machine} ({machine.what}), {build}: {len(modules)} modules, under {machine.emulator}", flush=True
        )
        words = arguments or ["-q", "--brief", *(f"tests/{room}" for room in rooms)]
        failed |= subprocess.run([interpreter, "-m", "pytest", *words], env=variables, cwd=tested).returncode
    sys.exit(failed)


if __name__ == "__main__":
    main()
