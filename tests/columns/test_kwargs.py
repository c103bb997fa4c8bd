"""The arguments of Polars' plug-ins are a pickle, of which columns/kwargs.h reads one form."""

from __future__ import annotations

import pickle

import pytest

from urlsm.columns.work import text_in_kwargs

LENGTHS = [5, 6, 255, 256, 257, 65535, 65536, 70000, 1 << 17]  # of 256, another opcode; of 64 KiB, outside of the frame
TEXTS = [
    *("x" * length for length in LENGTHS),
    "1-Sparam,é" * 30,
    "1-Sparam,\u4e2d\U0001f600",
    "0-Ahost,\x00",
    "\ud800" * 90,
]
POLARS = 5  # the protocol of polars.plugins.register_plugin_function, from 1.0 on


@pytest.mark.parametrize("protocol", range(4, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("text", TEXTS, ids=lambda text: f"{len(text)} of {text[:1]!a}")
def test_the_text_is_read_back(text, protocol):
    assert text_in_kwargs(pickle.dumps({"q": text}, protocol=protocol)) == text


@pytest.mark.parametrize("protocol", range(4))
@pytest.mark.parametrize("text", TEXTS, ids=lambda text: f"{len(text)} of {text[:1]!a}")
def test_an_older_protocol_is_another_form(text, protocol):
    assert text_in_kwargs(pickle.dumps({"q": text}, protocol=protocol)) is None


@pytest.mark.parametrize(
    "kwargs", [{}, {"r": "1-Ahost,"}, {"qq": "1-Ahost,"}, {"q": b"1-Ahost,"}, {"q": 5}, ["q"], None]
)
def test_other_arguments_are_another_form(kwargs):
    assert text_in_kwargs(pickle.dumps(kwargs, protocol=POLARS)) is None


@pytest.mark.parametrize("text", ["x" * 20, "x" * 300], ids=len)
def test_a_pickle_that_is_cut_off(text):
    whole = pickle.dumps({"q": text}, protocol=POLARS)
    end = whole.index(b"x" * 20) + len(text)
    for n in range(end + 1):
        assert text_in_kwargs(whole[:n]) is None, n


def test_polars_passes_this_form():
    plugins = pytest.importorskip("polars.plugins", reason="polars is not installed")
    serialized = getattr(plugins, "_serialize_kwargs", None)
    if serialized is None:
        pytest.skip("this Polars pickles elsewhere")
    assert text_in_kwargs(serialized({"q": "1-Ahost,"})) == "1-Ahost,"
