"""What uBlock Origin decides: asks its engine about filters made here, and writes tests/data/ublock.json.

    npm install @gorhill/ubo-core@0.1.30 && python -m oracles.ublock PATH/node_modules/@gorhill/ubo-core

The filters, URLs and pages are this project's; the file has them with the engine's answers. A page that is opened
(main_frame) is asked about only with filters that name types: uBlock Origin has another function for a host by itself.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from importlib.resources import files
from pathlib import Path

from support.seeds import seeded

from urlsm.patterns import adblock

BODIES = (
    "||bad.example^", "||bad.example/x", "bad.example", "/ad/x.js", ".example/c/*?s1=", "0.0.0.0 bad.example",
    "127.0.0.1 bad.example", "1.1.104.12", "|https://bad.", "/ad[0-9]+\\.js/", "/ad/*", "@@||bad.example^", "-ad-",
    "||bad.example^*ad", "bad.example|", "ads.js", "||com^", "*", "",
)  # fmt: skip
OPTIONS = (
    "", "all", "doc", "document", "popup", "popunder", "to=bad.example", "to=com|example", "to=~bad.example",
    "to=bad.*", "domain=page.example,denyallow=bad.example",
    "domain=page.*|other.example,denyallow=cdn.example|h.example",
    "strict1p", "strict3p", "_", "___", "script", "~script", "image", "3p", "1p", "~third-party", "important",
    "domain=page.example", "from=~www.page.example|page.example", "domain=page.*", "mp4", "empty", "inline-script",
    "inline-font", "~document", "all,~document", "csp=script-src 'none'", "removeparam=x", "redirect=noop.js",
    "rewrite=abp-resource:blank-js", "redirect-rule=noop.js", "xhr", "frame", "ping", "other", "media", "font", "css",
    "websocket", "object", "permissions=fullscreen", "ghide", "elemhide", "1p,3p", "header=x", "webrtc",
    "genericblock", "nosuch", "~all", "all=1", "denyallow=x.example", "doc,popup", "doc,to=example", "_,image",
    "popup,domain=page.example", "all,3p", "script,strict3p", "important,popup",
    "doc,domain=page.example,denyallow=com",
)  # fmt: skip
URLS = (
    "https://bad.example/", "https://www.bad.example/x", "https://bad.example/c/a?s1=1", "https://cdn.example/ad/x.js",
    "https://cdn.example/ad12.js", "http://1.1.104.12/", "http://21.1.104.12/", "http://1.1.104.123/",
    "https://h.example/?u=bad.example", "https://x.com/-ad-", "https://h.example/ads.js", "https://bad.example/x/ad",
    "https://page.example/ad/x.js",
)  # fmt: skip
SOURCES = ("https://www.page.example/", "https://page.example/x", "https://page.co.uk/", "https://other.example/",
           "https://bad.example/", "https://www.bad.example/")  # fmt: skip
TYPES = ("script", "image", "main_frame", "popup", "sub_frame", "xmlhttprequest", "ping", "media", "font", "stylesheet",
         "websocket", "object", "other", "popunder", "inline-script")  # fmt: skip
ASKED = 6  # questions about a filter

SCRIPT = """
import fs from 'fs';
const { StaticNetFilteringEngine, pslInit } = await import(process.argv[2] + '/index.js');
pslInit(fs.readFileSync(process.argv[3], 'utf8'));
const engine = await StaticNetFilteringEngine.create({ noPSL: true });
const answers = [];
for (const [filter, asked] of JSON.parse(fs.readFileSync(0, 'utf8'))) {
    await engine.useLists([{ name: 'list', raw: '||nowhere.invalid^\\n' + filter }]);
    answers.push(asked.map(([url, originURL, type]) => engine.matchRequest({ url, originURL, type }) === 1));
}
fs.writeFileSync(1, JSON.stringify(answers));
"""


def asked() -> list[tuple[str, list[tuple[int, int, int]]]]:
    rng = seeded("ublock")
    return [
        (f"{body}${options}" if options else body,
         [(rng.randrange(len(URLS)), rng.randrange(len(SOURCES)), rng.randrange(len(TYPES))) for _ in range(ASKED)])
        for body in BODIES for options in OPTIONS if body or options
    ]  # fmt: skip


def names_types(filter_: str) -> bool:
    options = filter_.partition("$")[2].split(",")
    return any(option.strip("~") in ("all", *adblock._TYPES) for option in options)


def main(engine: str) -> None:
    rows = asked()
    given = [[filter_, [(URLS[u], SOURCES[s], TYPES[t]) for u, s, t in questions]] for filter_, questions in rows]
    suffixes = files("publicsuffixlist") / "public_suffix_list.dat"
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "ask.mjs"
        script.write_text(SCRIPT, encoding="utf-8")
        done = subprocess.run(["node", str(script), str(Path(engine).resolve()), str(suffixes)], check=True, text=True,
                              input=json.dumps(given), capture_output=True)  # fmt: skip
    answers = json.loads(done.stdout)
    kept = [
        [filter_, [[*question, int(blocks)] for question, blocks in zip(questions, found, strict=True)
                   if TYPES[question[2]] != "main_frame" or names_types(filter_)]]
        for (filter_, questions), found in zip(rows, answers, strict=True)
    ]  # fmt: skip
    made = {"engine": "@gorhill/ubo-core 0.1.30", "urls": URLS, "sources": SOURCES, "types": TYPES, "rows": kept}
    path = Path(__file__).parents[1] / "data" / "ublock.json"
    text = json.dumps(made, ensure_ascii=False, separators=(",", ":")).replace("]],[", "]],\n[")
    path.write_text(text + "\n", encoding="utf-8")
    print(f"{len(kept)} filters, {sum(len(row[1]) for row in kept)} answers")


if __name__ == "__main__":
    main(sys.argv[1])
