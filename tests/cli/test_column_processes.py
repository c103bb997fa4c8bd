"""The processes of urlsm columns: signals, a worker that dies, --resume. Real processes get real signals."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from urlsm.cli.app import main

pa = pytest.importorskip("pyarrow", minversion="16", reason="urlsm columns needs pyarrow")
pq = pytest.importorskip("pyarrow.parquet", reason="urlsm columns needs pyarrow")
column_folder = pytest.importorskip("urlsm.cli.column_folder")
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


def outputs(folder) -> dict[str, list]:
    return {path.name: pq.read_table(path).to_pylist() for path in sorted(folder.glob("*.parquet"))}


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.slow(60)
def test_a_run_that_is_killed_and_resumed_is_one_run(tmp_path, folder, jobs):
    chance = random.Random(int(jobs))

    def arguments(name):
        sides = ["--errors-to", str(tmp_path / f"{name}.errors.csv"), "--bad-rows", str(tmp_path / f"{name}.rows.csv")]
        return [f"{folder}/", "-c", "url", "-k", "-f", "host,path", "-o", f"{tmp_path / name}/", *sides]

    assert main(["columns", *arguments("one")]) == 0
    whole = time.monotonic()
    for k in range(10):
        run = subprocess.Popen([*COMMAND, *arguments("two"), "--resume", "-j", jobs], stderr=subprocess.DEVNULL)
        if k == 0:  # how long a process takes until it writes
            until(lambda: (tmp_path / "two" / "_urlsm").exists())
            whole = time.monotonic() - whole
        time.sleep(chance.random() * whole)
        run.kill()
        run.wait()
    assert subprocess.run([*COMMAND, *arguments("two"), "--resume", "-j", jobs], check=False).returncode == 0
    assert outputs(tmp_path / "one") == outputs(tmp_path / "two") and len(outputs(tmp_path / "one")) == 8
    for side in ("errors.csv", "rows.csv"):
        assert (tmp_path / f"one.{side}").read_text() == (tmp_path / f"two.{side}").read_text()
    assert not list((tmp_path / "two").rglob("*.part-*"))


def test_what_is_done_is_left_out(tmp_path, folder, capsys):
    out = tmp_path / "out"
    command = ["columns", f"{folder}/", "-c", "url", "-f", "host", "-o", f"{out}/", "--resume", "--bad-rows", "skip"]
    assert main(command) == 0 and "8 files, 8 bad rows skipped\n" in capsys.readouterr().err
    assert main(command) == 0 and "0 files, 8 bad rows skipped, 8 done before" in capsys.readouterr().err
    assert main([*command, "--strict"]) == 1  # as the run before would have told
    capsys.readouterr()
    (folder / "f1.csv").write_text("url,id\nhttp://new/,1\n")
    (out / "f2.parquet").unlink()
    manifest = out / "_urlsm" / "manifest.jsonl"
    lines = [line for line in manifest.read_text().splitlines() if line]
    changed = [json.loads(line) for line in lines]
    assert all("unicode" in record and "public_suffix_list" in record for record in changed)
    changed[3]["urlsm"] = "0.1"
    manifest.write_text("\n".join(map(json.dumps, changed)) + '\n{"output": "cut o')
    assert main(command) == 0 and ", 3 files, " in (err := capsys.readouterr().err) and "5 done before" in err
    assert pq.read_table(out / "f1.parquet").to_pylist() == [{"host": "new"}]
    assert main([*command[:5], "path", *command[6:]]) == 0 and "8 files" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([*command[:6], "-o", str(tmp_path / "out.csv"), "--resume"])
    assert "use a folder as OUT" in capsys.readouterr().err


def test_a_file_that_changes_while_it_is_read_is_not_done(tmp_path, folder, capsys, monkeypatch):
    def convert_one(args, name, *others):
        done = plain(args, name, *others)
        if name.endswith("f1.csv"):
            with open(name, "a", encoding="utf-8") as stream:
                stream.write("9,http://late/\n")
        return done

    out = tmp_path / "out"
    command = ["columns", f"{folder}/", "-c", "url", "-f", "host", "-o", f"{out}/", "--resume", "--bad-rows", "skip"]
    plain = column_folder.convert_one
    monkeypatch.setattr(column_folder, "convert_one", convert_one)
    assert main(command) == 0
    monkeypatch.setattr(column_folder, "convert_one", plain)
    capsys.readouterr()
    assert main(command) == 0 and ", 1 file, 8 bad rows skipped, 7 done before\n" in capsys.readouterr().err
    assert pq.read_table(out / "f1.parquet")["host"].to_pylist()[-1] == "late"


def test_standard_input_is_not_resumed(tmp_path):
    command = [*COMMAND, "-", "-f", "host", "-o", f"{tmp_path}/", "--resume"]
    for _ in range(2):
        run = subprocess.run(command, input=b"http://a/\n", capture_output=True, check=False)
        assert run.returncode == 0 and b", 1 file\n" in run.stderr


def test_what_a_killed_run_has_left_is_removed(tmp_path, folder):
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    out = tmp_path / "out"
    (out / f"_urlsm.part-{gone.pid}").mkdir(parents=True)
    (out / f"f1.parquet.part-{gone.pid}").touch()
    command = ["columns", f"{folder}/", "-c", "url", "-f", "host", "-o", f"{out}/", "--bad-rows", "skip"]
    assert main([*command, "--errors-to", str(tmp_path / "errors.csv")]) == 0
    assert sorted(path.name for path in out.iterdir()) == [f"f{k}.parquet" for k in range(8)]
