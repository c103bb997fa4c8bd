"""Rewritten texts, which move while more are written. (Without pyarrow: sanitizers run this.)"""

from __future__ import annotations

import pytest

import urlsm
import urlsm.columns as uc
from urlsm.columns.work import column_of_lines

LINES = [f"HTTP://H{k}.example:{k}/{'é' * k}?b=%{k % 100:02d}&a=%41{k}" for k in range(600)]
LINES += [f"blob:HTTPS://É{k}.example/{k}" for k in range(300)]


@pytest.mark.parametrize("text", ["view", "string"])
def test_origins_and_parameters_of_what_was_written(text):
    column = column_of_lines("\n".join(LINES).encode())
    urls = [urlsm.parse(line) for line in LINES]
    made = uc.parse(column, ("origin", "host", "href"), layout=text).to_pylist()
    assert made == [{"origin": url.origin, "host": url.host, "href": str(url)} for url in urls]
    assert uc.query_param(column, "a", layout=text).to_pylist() == [url.query_params.get("a") for url in urls]
