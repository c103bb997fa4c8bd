"""Build urlsm for another machine, and test it there, under emulation. Needs Debian (or a kin of it), and no root.

    python tools/machines.py s390x SOURCE WORK [PYTEST ARGUMENT...]
    python tools/machines.py s390x SOURCE WORK --wheel FILE [PYTEST ARGUMENT...]

SOURCE has the C that Cython made (the folder `source` of `nox -s build`, or a built checkout). The machine's Python and
libc, Debian's cross compiler and qemu-user are unpacked into $URLSM_CACHE (default: the user's cache folder) once; what
is built goes to WORK: as released, and with UndefinedBehaviorSanitizer, which stops the program. With --wheel nothing
is built: pip, run by the machine's Python, installs that wheel, and the tests are of it. Exits with 77, and the reason,
where it cannot run.
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
NEEDED = (
    *("pip>=25", "pytest>=8", "pytest-timeout>=2.3", "hypothesis>=6.100"),
    *("idna>=3.14", "rich>=13", "publicsuffixlist>=1.0"),
)


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


class Place(NamedTuple):
    """What runs on the machine, and what makes it."""

    machine: Machine
    emulator: Path
    include: Path  # of its Python
    suffix: str  # of its Python's modules
    compiler: Path  # with its own libraries
    interpreter: Path  # which tests start as sys.executable
    needed: Path  # the packages that the tests need
    tested: Path  # the tests


def place(name: str, source: Path, work: Path) -> Place:
    """Return what the tests of this machine need, fetched and put into work."""
    machine = MACHINES[name]
    root = unpacked(name, "python3", "libpython3-dev", "libgcc-s1")
    compilers = [f"gcc-{machine.triplet.replace('_', '-')}" for machine in MACHINES.values()]
    tools = unpacked("amd64", *compilers, "qemu-user-static")
    emulator = tools / "usr/bin" / machine.emulator
    python = next(path for path in (root / "usr/bin").glob("python3.*") if path.name.count("-") == 0)
    version = python.name.removeprefix("python")

    work.mkdir(parents=True, exist_ok=True)
    libraries = next((tools / "usr/lib").glob("*/libmpc.so.3")).parent
    compiler = work / "gcc"
    compiler.write_text(
        f'#!/bin/sh\nLD_LIBRARY_PATH="{libraries}" PATH="{tools}/usr/bin:$PATH" exec {machine.triplet}-gcc '
        f'--sysroot="{root}" "$@"\n'
    )
    interpreter = work / "python"
    interpreter.write_text(f'#!/bin/sh\nPYTHONHOME="{root}/usr" exec "{emulator}" -L "{root}" "{python}" "$@"\n')
    for path in (compiler, interpreter):
        path.chmod(0o755)

    needed = work / "needed"
    if not (needed / "sitecustomize.py").exists():  # the last of its files
        shutil.rmtree(needed, ignore_errors=True)
        any_machine = ("--only-binary=:all:", "--platform=any", "--implementation=py", "--abi=none")
        install = (sys.executable, "-m", "pip", "install", "-q", *any_machine, f"--python-version={version}")
        subprocess.run([*install, "--target", needed, *NEEDED], check=True)
        Path(needed, "sitecustomize.py").write_text(f"import sys\n\nsys.executable = {str(interpreter)!r}\n")
    tested = work / "tested"
    shutil.rmtree(tested, ignore_errors=True)
    tested.mkdir()
    for folder in ("tests", "docs"):
        shutil.copytree(source / folder, tested / folder)
    for path in (*source.glob("*.md"), source / "pyproject.toml"):
        shutil.copy2(path, tested)
    if (ROOT.parent / "shared").is_dir() and not (work / "shared").exists():  # test data beside the checkout
        (work / "shared").symlink_to(ROOT.parent / "shared", target_is_directory=True)
    suffix = f".cpython-{version.replace('.', '')}-{machine.triplet}.so"
    include = root / "usr/include" / python.name
    return Place(machine, emulator, include, suffix, compiler, interpreter, needed, tested)


def built(here: Place, source: Path, site: Path, more: tuple[str, ...]) -> str:
    """Build the package into site. Return what was done, in words."""
    flags = [str(here.compiler), *FLAGS, *more]
    program = site.parent / "widths"  # the headers that read many octets at once, as C
    widths = ["-O2", "-static", "-Iurlsm", "tests/support/widths.c", "-o", str(program)]
    subprocess.run([*flags, *widths], cwd=source, check=True)
    subprocess.run([here.emulator, program], check=True)

    kept = shutil.ignore_patterns("*.so", "*.c", "*.pyx", "__pycache__")
    shutil.copytree(source / "urlsm", site / "urlsm", ignore=kept)
    shutil.copytree(source / "schemes", site / "urlsm/schemes", ignore=kept, dirs_exist_ok=True)
    modules = compile_all([*flags, "-shared", "-s", f"-I{here.include}"], source, site, here.suffix)
    return f"{site.name}: {len(modules)} modules"


def installed(here: Place, wheel: Path, site: Path) -> str:
    """Install a wheel into site. Return what was done, in words."""
    # not `-m pip`: sitecustomize hides the program that pip asks which machine this is
    options = ("-q", "--root-user-action=ignore", "--no-deps", "--no-index", "--target", site)
    subprocess.run([here.interpreter, here.needed / "pip", "install", *options, wheel.resolve()], check=True)
    return f"{wheel.name}, installed"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("machine", choices=MACHINES)
    parser.add_argument("source", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--only", choices=[build for build, _, _ in BUILDS], help="one of the two builds")
    parser.add_argument("--wheel", type=Path, help="test this, and build nothing")
    given, arguments = parser.parse_known_args()
    if given.wheel and given.only == "sanitized":
        parser.error("a wheel is a build as released")
    work, source = given.work.resolve(), given.source.resolve()
    if platform.machine() != "x86_64":
        cannot("the cross compilers are Debian's for x86-64")
    here = place(given.machine, source, work)

    failed = 0
    for build, more, rooms in BUILDS[:1] if given.wheel else BUILDS:
        if given.only not in (None, build):
            continue
        site = work / ("installed" if given.wheel else build)
        shutil.rmtree(site, ignore_errors=True)
        done = installed(here, given.wheel, site) if given.wheel else built(here, source, site, more)
        variables = {**os.environ, "PYTHONPATH": f"{site}:{here.needed}", "PYTHONDONTWRITEBYTECODE": "1"}
        told = "import sys, urlsm; print(urlsm.parse('https://ex.org/a?b#c').host, sys.byteorder, sys.version)"
        subprocess.run([here.interpreter, "-c", told], env=variables, cwd=here.tested, check=True)
        print(f"{given.machine} ({here.machine.what}), {done}, under {here.machine.emulator}", flush=True)
        words = arguments or ["-q", "--brief", *(f"tests/{room}" for room in rooms)]
        failed |= subprocess.run([here.interpreter, "-m", "pytest", *words], env=variables, cwd=here.tested).returncode
    sys.exit(failed)


if __name__ == "__main__":
    main()
