"""The processes of urlsm columns: signals, and a worker that dies. Real processes get real signals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from urlsm.cli.app import main

pa = pytest.importorskip("pyarrow", minversion="16", reason="urlsm columns needs pyarrow")
pq = pytest.importorskip("pyarrow.parquet", reason="urlsm columns needs pyarrow")
pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="reads Linux's /proc")

COMMAND = [sys.executable, "-m", "urlsm", "columns"]


@pytest.fixture
def folder(tmp_path):
    """Eight files, with invalid URLs and rows that are not valid."""
    made = tmp_path / "in"
    made.mkdir()
    for k in range(8):
        rows = [
            f"{k}-{n},http://h{n}.example/{'' if n % 97 else ' ['}{'[' if n % 89 == 0 else ''}\n" for n in range(500)
        ]
        rows[100] = "x,y,z\n"
        (made / f"f{k}.csv").write_text("id,url\n" + "".join(rows) + f"{k},no URL\n")
    return made


@pytest.fixture
def pipe(tmp_path):
    """A FIFO, from which a command reads without end, and a folder with it."""
    path = tmp_path / "in"
    path.mkdir()
    os.mkfifo(path / "a.txt")
    return path


def descendants(pid) -> set[int]:
    found: set[int] = set()
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat") as stream:
                parent = int(stream.read().rpartition(")")[2].split()[1])
        except (OSError, IndexError):
            continue
        if parent == pid:
            found |= {int(name)} | descendants(int(name))
    return found


def is_alive(pid) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as stream:
            return stream.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def reads(pid, path) -> bool:
    files = os.listdir(f"/proc/{pid}/fd")
    return any(os.path.realpath(f"/proc/{pid}/fd/{number}") == str(path) for number in files)


def until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.02)
    assert condition()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_signal_leaves_nothing(tmp_path, pipe, jobs, number):
    out = tmp_path / "out"
    (pipe / "b.csv").write_text("url\nhttp://b/\n")
    command = [*COMMAND, f"{pipe}/a.txt", f"{pipe}/b.csv", "-f", "host", "-o", f"{out}/", "-j", str(jobs)]
    code = "import signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); "
    code += "from urlsm.__main__ import main; sys.exit(main())"
    run = subprocess.Popen([sys.executable, "-c", code, *command[3:]], stderr=subprocess.PIPE)
    with open(pipe / "a.txt", "wb", buffering=0) as stream:  # opened as soon as a process reads it
        stream.write(b"http://a/\n" * 7000)
        until(lambda: list(out.glob("a.parquet.part-*")) if jobs == 1 or number != signal.SIGKILL else True)
        children = descendants(run.pid)
        assert jobs == 1 or len(children) >= 2
        began = time.monotonic()
        run.send_signal(number)
        code = run.wait(30)
        took = time.monotonic() - began
        until(lambda: not any(map(is_alive, children)), 30)
        took = max(took, time.monotonic() - began) if number != signal.SIGKILL else 0
    assert code == {signal.SIGTERM: 143, signal.SIGINT: 130, signal.SIGKILL: -9}[number]
    assert took < 2 or os.getloadavg()[0] > 4  # seconds
    if number != signal.SIGKILL:
        assert run.stderr.read() == b""
    parts = list(out.rglob("*.part-*"))
    assert not parts or (number == signal.SIGKILL and jobs == 1)
    run.stderr.close()
    if parts:  # the next run removes what a killed one has left
        (pipe / "a.txt").unlink()
        (pipe / "a.txt").write_text("http://a/\n")
        assert main(["columns", f"{pipe}/a.txt", "-f", "host", "-o", f"{out}/"]) == 0
        assert [path.name for path in out.iterdir()] == ["a.parquet"]


def test_a_worker_that_dies(tmp_path, folder):
    out = tmp_path / "out"
    (folder / "f3.csv").unlink()
    os.mkfifo(folder / "f3.csv")
    run = subprocess.Popen(
        [*COMMAND, *sorted(map(str, folder.iterdir())), "-c", "url", "-f", "host", "-o", f"{out}/", "-j", "2",
         "--bad-rows", "skip", "--errors-to", str(tmp_path / "errors.csv")],
        stderr=subprocess.PIPE,
    )  # fmt: skip
    with open(folder / "f3.csv", "wb", buffering=0) as stream:
        stream.write(b"url\n")
        readers = [pid for pid in descendants(run.pid) if reads(pid, folder / "f3.csv")]
        assert len(readers) == 1
        os.kill(readers[0], signal.SIGKILL)
    err = run.communicate(timeout=60)[1].decode()
    assert run.returncode == 2 and f"{folder / 'f3.csv'}: its process has ended (exit code -9)" in err
    assert err.endswith("7 files, 7 bad rows skipped, 1 failed\n") and "Traceback" not in err
    assert sorted(path.name for path in out.iterdir()) == [f"f{k}.parquet" for k in range(8) if k != 3]
    assert "f7.csv" in (tmp_path / "errors.csv").read_text()
