"""urlsm columns: the content of files goes through unchanged: text, compressed, empty, pipes."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
import os
import pathlib
import stat
import subprocess
import sys
import threading
import zipfile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.times import SANITIZED

from urlsm.cli.app import main

pa = pytest.importorskip("pyarrow", minversion="16", reason="urlsm columns needs pyarrow")
pq = pytest.importorskip("pyarrow.parquet", reason="urlsm columns needs pyarrow")
import pyarrow.csv  # noqa: E402
import pyarrow.ipc  # noqa: E402

posix = pytest.mark.skipif(os.name == "nt", reason="names files of POSIX")
COMMAND = [sys.executable, "-m", "urlsm", "columns"]
CELLS = [
    *("00501", "1.10", "", "NA", "null", "true", "1e5", "2024-01-01", "12:30", "0x1F", "+7", "-0", " x ", "1_000"),
    *('say "hi"', '"', '""', "a,b", "two\nlines", "cr\rlf\r\n", "Ä", "9" * 30, "#N/A", "nan", "'", "\t", "Ω\u2028"),
]


def rows_of(path) -> list[list[str | None]]:
    """Return the rows of an output, with its names in front."""
    kind = path.suffix
    if kind == ".csv":
        with open(path, encoding="utf-8", newline="") as stream:
            return [list(row) for row in csv.reader(stream)]
    if kind == ".parquet":
        table = pq.read_table(path)
    else:
        with pyarrow.ipc.open_file(path) as file:
            table = file.read_all()
    return [table.column_names, *map(list, zip(*[column.to_pylist() for column in table.columns], strict=True))]


def csv_of(path, rows, **how) -> str:
    with open(path, "w", encoding="utf-8", newline="") as stream:
        csv.writer(stream, **how).writerows(rows)
    return str(path)


# --- cells of CSV ------------------------------------------------------------------------------


@pytest.mark.parametrize("made", ["csv", "parquet", "arrow"])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
def test_kept_cells_stay_text(tmp_path, made, quoting):
    rows = [["zip", "url", 'a "b"\nc'], *[[cell, "http://h/", cell[::-1]] for cell in CELLS]]
    links = csv_of(tmp_path / "links.csv", rows, quoting=quoting)
    out = tmp_path / f"out.{made}"
    assert main(["columns", links, "-c", "url", "-f", "host", "--keep", "-o", str(out)]) == 0
    assert rows_of(out) == [[*rows[0], "host"], *[[*row, "h"] for row in rows[1:]]]


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8), min_size=1, max_size=5))
def test_any_cell_stays_text(tmp_path, cells):
    # all in quotes: before 3.13, Python's writer leaves a "\r" without them
    links = csv_of(tmp_path / "links.csv", [["n", "url"], *[[cell, "x:"] for cell in cells]], quoting=csv.QUOTE_ALL)
    for made in ("csv", "parquet"):
        out = tmp_path / f"out.{made}"
        assert main(["columns", links, "-c", "url", "-f", "path", "--keep", "-o", str(out)]) == 0
        assert [row[0] for row in rows_of(out)[1:]] == cells


@pytest.mark.slow(3)
def test_a_column_may_look_otherwise_after_eight_mebioctets(tmp_path):
    many = 350_000
    rows = [[f"{k:08}", "http://host.example/", ""] for k in range(many)]
    rows += [["a text", "http://last.example/", "1.50"], ["2024-01-01", "mailto:x", "no"]]
    links = csv_of(tmp_path / "links.csv", [["n", "url", "m"], *rows])
    assert os.path.getsize(links) > 1.2 * 2**23
    out = tmp_path / "out.parquet"
    assert main(["columns", links, "-c", "url", "-f", "host", "--keep", "-o", str(out)]) == 0
    found = rows_of(out)
    assert len(found) == many + 3
    assert found[1] == ["00000000", "http://host.example/", "", "host.example"]
    assert found[-2:] == [[*rows[-2], "last.example"], [*rows[-1], None]]


def test_octets_that_are_not_utf8_are_kept_or_told(tmp_path, capsys):
    links = tmp_path / "links.csv"
    links.write_bytes(b"name,url\ncaf\xe9,http://h/\xe9\n")
    out = tmp_path / "out.csv"
    assert main(["columns", str(links), "-c", "url", "-f", "path", "--keep", "-o", str(out)]) == 0
    assert out.read_bytes().splitlines()[1] == b'"caf\xe9","http://h/\xe9","/%EF%BF%BD"'
    for made in ("parquet", "arrow"):
        assert main(["columns", str(links), "-c", "url", "--keep", "-o", str(tmp_path / f"out.{made}")]) == 2
        assert "column 'name' is not UTF-8" in capsys.readouterr().err
    assert main(["columns", str(links), "-c", "url", "-f", "path", "-o", str(tmp_path / "o.parquet")]) == 0


@pytest.mark.parametrize(
    ("octets", "names", "hosts"),
    [
        (b"\xef\xbb\xbfurl,n\r\nhttp://a/,1\r\n", ["url", "n"], ["a"]),
        (b"\n\r\nurl,n\nhttp://a/,1\n\nhttp://b/,2", ["url", "n"], ["a", "b"]),
        (b'"url","n\nm, ""o"""\n"http://a/",1\n', ["url", 'n\nm, "o"'], ["a"]),
        (b"url,n,n\rhttp://a/,1,2\r", ["url", "n", "n"], ["a"]),
        (b"url\nhttp://a/\n\nhttp://b/\n", ["url"], ["a", "", "b"]),  # an empty line is an empty cell
    ],
)
def test_heads_of_csv(tmp_path, octets, names, hosts):
    links, out = tmp_path / "links.csv", tmp_path / "out.csv"
    links.write_bytes(octets)
    assert main(["columns", str(links), "-c", "url", "-f", "host", "--keep", "-o", str(out)]) == 0
    found = rows_of(out)
    assert found[0] == [*names, "host"] and [row[-1] for row in found[1:]] == hosts


@pytest.mark.slow(1)
def test_quotes_that_stand_alone_and_cells_of_megabytes(tmp_path):
    links, out = tmp_path / "links.csv", tmp_path / "out.parquet"
    long = "http://b/" + "x" * 10_000_000
    links.write_bytes(f'5" disk,url\n6" disk,{long}\n"7"" disk","http://c/\n"\n'.encode())
    assert main(["columns", str(links), "-c", "url", "-f", "path", "--keep", "-o", str(out)]) == 0
    assert rows_of(out) == [['5" disk', "url", "path"], ['6" disk', long, long[8:]], ['7" disk', "http://c/\n", "/"]]


def test_a_name_that_stands_twice_is_told(tmp_path, capsys):
    links = csv_of(tmp_path / "links.csv", [["url", "url"], ["http://a/", "http://b/"]])
    assert main(["columns", links, "-c", "url"]) == 2
    assert "more than one column 'url'" in capsys.readouterr().err


def test_a_mark_of_the_byte_order_is_no_part_of_the_first_line(tmp_path):
    (tmp_path / "links.txt").write_bytes(b"\xef\xbb\xbfhttp://a/\nhttp://b/\n")
    assert main(["columns", str(tmp_path / "links.txt"), "-f", "host", "-o", str(tmp_path / "out.txt")]) == 0
    assert (tmp_path / "out.txt").read_text() == "a\nb\n"


@pytest.mark.parametrize("made", ["csv", "arrow", "parquet"])
def test_kept_dictionaries_of_several_batches(tmp_path, made):
    path, out = tmp_path / "links.arrow", tmp_path / f"out.{made}"
    kind = pa.dictionary(pa.int8(), pa.string())
    batches = [pa.record_batch({"n": pa.array(n, kind), "url": ["http://a/", "x"]}) for n in (["x", "y"], ["z", None])]
    with pyarrow.ipc.new_stream(path, batches[0].schema) as writer:
        for batch in batches:
            writer.write_batch(batch)
    assert main(["columns", str(path), "-c", "url", "-f", "host", "--keep", "-o", str(out)]) == 0
    assert [row[0] or None for row in rows_of(out)[1:]] == ["x", "y", "z", None]


def test_a_row_without_an_answer_is_no_empty_line(tmp_path):
    (tmp_path / "links.txt").write_text("http://a:81/\nx\nmailto:b\n")
    for field, found in (("host", ["a", "", ""]), ("port", ["81", "", ""]), ("error_code", ["", "missing-scheme", ""])):
        out = tmp_path / "out.csv"
        assert main(["columns", str(tmp_path / "links.txt"), "-f", field, "-o", str(out)]) == 0
        assert [row[0].partition("-non")[0] for row in rows_of(out)] == [field, *found]


# --- no rows -----------------------------------------------------------------------------------


def empty(folder, kind: str) -> str:
    schema = pa.schema([("n", pa.int64()), ("url", pa.string())])
    path = folder / f"links.{kind.partition(' ')[0]}"
    if kind == "parquet":
        pq.write_table(schema.empty_table(), path)
    elif kind == "parquet without row groups":
        pq.ParquetWriter(path, schema).close()
    elif kind == "arrow":
        pyarrow.ipc.new_file(path, schema).close()
    else:
        path.write_bytes({"csv": b"n,url\n", "csv without an end of line": b"n,url", "txt": b""}[kind])
    return str(path)


@pytest.mark.parametrize(
    "kind", ["parquet", "parquet without row groups", "arrow", "csv", "csv without an end of line", "txt"]
)
@pytest.mark.parametrize("made", ["parquet", "arrow", "csv"])
@pytest.mark.parametrize("keep", [False, True])
def test_no_rows_are_a_file_too(tmp_path, kind, made, keep):
    out, errors = tmp_path / f"out.{made}", tmp_path / "errors.csv"
    column = [] if kind == "txt" else ["-c", "url"]
    arguments = [*column, "-f", "host,port", "-o", str(out), "--errors-to", str(errors), *(["--keep"] if keep else [])]
    assert main(["columns", empty(tmp_path, kind), *arguments]) == 0
    kept = (["url"] if kind == "txt" else ["n", "url"]) if keep else []
    assert rows_of(out) == [[*kept, "host", "port"]]
    others = ["n"] if keep and kind != "txt" else []
    assert rows_of(errors) == [["row", "code", "position", "text", *others]]


# --- what an output names ----------------------------------------------------------------------


@pytest.fixture
def links(tmp_path):
    path = tmp_path / "links.csv"
    path.write_bytes(b"n,url\n1,http://a/\n2,x\n")
    return str(path)


@posix
def test_a_symbolic_link_stays_one(tmp_path, links):
    (tmp_path / "folder").mkdir()
    target, link, loose = tmp_path / "folder/real.csv", tmp_path / "link.csv", tmp_path / "loose.csv"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to("folder/real.csv")
    loose.symlink_to("folder/new.csv")
    for name in (link, loose):
        assert main(["columns", links, "-c", "url", "-f", "host", "-o", str(name)]) == 0
        assert name.is_symlink() and rows_of(name) == [["host"], ["a"], [""]]
    assert stat.S_IMODE(target.stat().st_mode) == 0o640  # its permissions stay
    assert sorted(path.name for path in (tmp_path / "folder").iterdir()) == ["new.csv", "real.csv"]
    assert main(["columns", links, "-c", "url", "-f", "host,href", "-o", str(link), "-b", "::"]) == 2
    assert rows_of(target) == [["host"], ["a"], [""]]  # without output of a failed run


@posix
@pytest.mark.parametrize("made", ["pipe.csv", "pipe.parquet", "pipe.arrow", "pipe", "pipe.txt.gz"])
def test_a_fifo_is_written_to(tmp_path, links, made):
    fifo, read = tmp_path / made, []
    os.mkfifo(fifo)
    reader = threading.Thread(target=lambda: read.append(fifo.read_bytes()), daemon=True)
    reader.start()
    assert main(["columns", links, "-c", "url", "-f", "host", "-o", str(fifo)]) == 0
    reader.join(30)
    assert stat.S_ISFIFO(fifo.stat().st_mode)
    if fifo.suffix in (".parquet", ".arrow"):
        copy = tmp_path / f"copy{fifo.suffix}"
        copy.write_bytes(read[0])
        assert rows_of(copy) == [["host"], ["a"], [None]]
    else:
        text = gzip.decompress(read[0]) if made.endswith("gz") else read[0]
        assert text == (b"a\n\n" if made.endswith("gz") else b'"host"\n"a"\n""\n')
    assert not [path for path in tmp_path.iterdir() if "part" in path.name]


@pytest.fixture
def null(tmp_path):
    """A device that may be destroyed."""
    path = tmp_path / "null"
    try:
        os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        path.write_bytes(b"x")
    except (AttributeError, OSError):
        pytest.skip("no device can be made")
    return path


def test_a_device_is_written_to(links, null):
    for arguments in (["-f", "host"], [], ["--errors-to", str(null), "-o", os.devnull]):
        assert main(["columns", links, "-c", "url", "-o", str(null), *arguments]) == 0
        assert stat.S_ISCHR(null.stat().st_mode)


def test_a_hyphen_is_standard_output(tmp_path, links, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run = subprocess.run([*COMMAND, links, "-c", "url", "-f", "host", "-o", "-"], capture_output=True, check=False)
    assert (run.returncode, run.stdout) == (0, b'"host"\n"a"\n""\n'), run.stderr
    errors = subprocess.run([*COMMAND, links, "-c", "url", "-o", "o.csv", "--errors-to", "-"], capture_output=True)
    assert errors.stdout.splitlines()[1] == b'1,"missing-scheme-non-relative-URL",0,"x"'
    assert sorted(path.name for path in tmp_path.iterdir()) == ["links.csv", "o.csv"]


@posix
def test_standard_output_by_its_other_names(tmp_path, links):
    log = tmp_path / "log.csv"
    log.write_text("before\n")
    for name in ("/dev/stdout", str(log)):
        with open(log, "ab") as stream:
            command = [*COMMAND, links, "-c", "url", "-f", "host", "-o", name]
            assert subprocess.run(command, stdout=stream, check=False).returncode == 0
    assert log.read_text() == "before\n" + '"host"\n"a"\n""\n' * 2


def test_two_outputs_of_one_name_are_refused(tmp_path, links, capsys):
    for one, other in ((str(tmp_path / "o.csv"), str(tmp_path / "x/../o.csv")), ("-", "-")):
        with pytest.raises(SystemExit):
            main(["columns", links, "-c", "url", "-o", one, "--errors-to", other])
        assert "the same file" in capsys.readouterr().err
    before = pathlib.Path(links).read_bytes()
    for option in ("-o", "--errors-to"):
        with pytest.raises(SystemExit):
            main(["columns", links, "-c", "url", option, links])
        assert "names a file that is read" in capsys.readouterr().err and pathlib.Path(links).read_bytes() == before


def shell(text: str, **how) -> subprocess.CompletedProcess:
    return subprocess.run(["sh", "-c", text], capture_output=True, check=False, **how)


@posix
@pytest.mark.parametrize(
    ("end", "code", "said"),
    [
        (">&-", 2, b"standard output is closed"),
        ("-o - >&-", 2, b"standard output is closed"),
        ("- <&-", 2, b"standard input is closed"),
        ("> /dev/full", 2, b"No space left"),
        ("-o /dev/full", 2, b"No space left"),
    ],
)
def test_streams_that_are_closed_or_full(tmp_path, links, end, code, said):
    if "/dev/full" in end and not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full")
    source = "" if end.startswith("- ") else f"{links} -c url"
    run = shell(f"{sys.executable} -m urlsm columns {source} {end}")
    assert run.returncode == code and said in run.stderr, run
    assert b"Traceback" not in run.stderr and run.stderr.count(b"\n") == 1


@posix
def test_a_reader_that_has_gone(tmp_path):
    links = tmp_path / "links.txt"
    links.write_text("http://a.example/\n" * 500_000)
    out = tmp_path / "pipe.csv"
    os.mkfifo(out)
    for end in ("| head -1", f"-o {out} & head -1 {out}; wait $!"):
        run = shell(f"({sys.executable} -m urlsm columns {links} -f host; echo $? >&2) {end}" if "|" in end else
                    f"{sys.executable} -m urlsm columns {links} -f host {end}; echo $? >&2")  # fmt: skip
        assert (run.stdout, run.stderr) == (b'"host"\n', b"141\n")
    assert stat.S_ISFIFO(out.stat().st_mode)


# --- compressed --------------------------------------------------------------------------------

zstd = pa.Codec("zstd")
PACKERS = {
    "gzip": gzip.compress,
    "zstd": lambda octets: zstd.compress(octets, asbytes=True),
    "zstd with a skippable frame": lambda octets: b"\x5a\x2a\x4d\x18\3\0\0\0abc" + zstd.compress(octets, asbytes=True),
    "bz2": bz2.compress,
    "xz": lzma.compress,
}
LINES = b"http://a.example/\r\nx\n\nhttp://b.example/\n"


@pytest.mark.parametrize("packer", PACKERS)
@pytest.mark.parametrize("name", ["links.gz", "links.txt", "links.zst", "LINKS.TXT.GZ"])
def test_compressed_lines_by_their_first_octets(tmp_path, packer, name):
    links, out = tmp_path / name, tmp_path / "out.csv"
    pack = PACKERS[packer]
    for octets in (pack(LINES), pack(LINES[:23]) + pack(LINES[23:])):  # concatenated files are one
        links.write_bytes(octets)
        assert main(["columns", str(links), "-f", "host", "--keep", "-o", str(out)]) == 0
        assert [row[0] for row in rows_of(out)[1:]] == ["http://a.example/", "x", "", "http://b.example/"]
        assert [row[1] for row in rows_of(out)[1:]] == ["a.example", "", "", "b.example"]


@pytest.mark.parametrize("packer", PACKERS)
def test_compressed_lines_on_standard_input(packer):
    octets = PACKERS[packer](LINES[:9]) + PACKERS[packer](LINES[9:])
    run = subprocess.run([*COMMAND, "-", "-f", "host"], input=octets, capture_output=True, check=False)
    assert run.stdout == b'"host"\n"a.example"\n""\n""\n"b.example"\n', run.stderr


@pytest.mark.parametrize("packer", PACKERS)
@pytest.mark.parametrize("name", ["links.csv", "links.csv.gz", "links.csv.zst"])
def test_compressed_csv(tmp_path, packer, name):
    links, out = tmp_path / name, tmp_path / "out.csv"
    links.write_bytes(PACKERS[packer](b"\xef\xbb\xbfzip,url\n00501,http://a/\n"))
    assert main(["columns", str(links), "-c", "url", "-f", "host", "--keep", "-o", str(out)]) == 0
    assert rows_of(out) == [["zip", "url", "host"], ["00501", "http://a/", "a"]]


def test_a_name_alone_does_not_make_it_compressed(tmp_path):
    for name in ("links.gz", "links.zst"):
        (tmp_path / name).write_bytes(LINES)
        assert main(["columns", str(tmp_path / name), "-f", "host", "-o", str(tmp_path / "out.csv")]) == 0
        assert [row[0] for row in rows_of(tmp_path / "out.csv")[1:]] == ["a.example", "", "", "b.example"]


@pytest.mark.parametrize("packer", PACKERS)
@pytest.mark.parametrize("name", ["links.txt", "links.csv"])
def test_what_is_cut_off_or_damaged_is_told(tmp_path, packer, name, capsys):
    links, out = tmp_path / name, tmp_path / "out.csv"
    whole = PACKERS[packer](b"url\n" + b"".join(b"http://h%d.example/\n" % (k * k) for k in range(20_000)))
    for octets in (whole[:-7], whole[: len(whole) // 2], whole[:12], whole[:-20] + b"\xff" * 20, whole + b"junk"):
        links.write_bytes(octets)
        assert main(["columns", str(links), "-f", "host", "-o", str(out)]) == 2
        assert name in capsys.readouterr().err
        assert not out.exists()


def test_what_is_no_text_is_told(tmp_path, capsys):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("links.txt", "http://a/\n")
    parquet, arrow = io.BytesIO(), io.BytesIO()
    pq.write_table(pa.table({"url": ["http://a/"]}), parquet)
    pyarrow.ipc.new_file(arrow, pa.schema([("url", pa.string())])).close()
    for octets, said in (
        (packed.getvalue(), "zip"),
        (parquet.getvalue(), "Parquet"),
        (arrow.getvalue(), "Arrow"),
    ):
        (tmp_path / "links.txt").write_bytes(octets)
        assert main(["columns", str(tmp_path / "links.txt"), "-f", "host"]) == 2
        told = capsys.readouterr()
        assert said in told.err and not told.out


def test_an_output_is_compressed_by_its_name(tmp_path, links, capsys):
    for name, unpack in (("out.csv.gz", gzip.decompress), ("out.csv.zst", None), ("out.gz", gzip.decompress)):
        out = tmp_path / name
        assert main(["columns", links, "-c", "url", "-f", "host", "-o", str(out)]) == 0
        octets = out.read_bytes()
        text = unpack(octets) if unpack else pa.CompressedInputStream(pa.BufferReader(octets), "zstd").read()
        assert text == (b'"host"\n"a"\n""\n' if "csv" in name else b"a\n\n")
    assert main(["columns", links, "-c", "url", "-o", str(tmp_path / "out.parquet.gz")]) == 2
    assert "are already compressed" in capsys.readouterr().err


@pytest.mark.slow(16)
@pytest.mark.parametrize("packer", ["gzip", "zstd"])
@pytest.mark.parametrize("name", ["links.txt", "links.csv"])
def test_compressed_text_takes_constant_memory(tmp_path, packer, name):
    if sys.platform != "linux":
        pytest.skip("reads Linux's /proc")
    if SANITIZED:
        pytest.skip("AddressSanitizer keeps what is freed")
    code = (
        "import re, sys; from urlsm.cli.app import main\n"
        "assert main(['columns', sys.argv[1], '-f', 'host', '-o', sys.argv[2]]) == 0\n"
        "print(re.search(r'VmHWM: +(\\d+)', open('/proc/self/status').read().replace('\\t', ' '))[1])"
    )
    piece = PACKERS[packer](b"http://a.host.of.some.length.example/and/a/path\n" * (2**24 // 48))
    peaks = []
    for pieces in (2, 14):  # of 16 MiB
        (tmp_path / name).write_bytes(piece * pieces)
        command = [sys.executable, "-c", code, str(tmp_path / name), str(tmp_path / "out.parquet")]
        peaks.append(int(subprocess.run(command, capture_output=True, check=True).stdout))
    assert peaks[1] - peaks[0] < 60_000  # KiB, of 192 MiB more
