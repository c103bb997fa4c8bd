"""The pages about codes: errors and violations, hazards and verdicts, requests, patterns; each code with an example."""

from __future__ import annotations

import importlib
from typing import Any

import reference_examples as examples
from reference_text import code, prose, table

import urlsm
from urlsm import crawler
from urlsm.errors.rules import TABLE
from urlsm.patterns.linting import HINTS
from urlsm.schemes import known
from urlsm.server.errors import TABLE as FAULTS

HAZARDS = importlib.import_module("urlsm.security.hazards").HAZARDS
# calls for the codes that validate does not report
ELSEWHERE = {
    code: call
    for call in (
        'urlsm.parse("http://example.com/", max_length=10)',
        'profile("urlsm-1").replace(schemes=("http",)).canonicalize("ftp://example.com/")',
        'urlsm.parts("http://example.com/", "mailto")',
    )
    for code in examples.called(call)
}
_RUN = "(while the client runs)"


def messages(module: str, code: str) -> dict[str, str]:
    """Return the table of a module that contains the message for this code."""
    values = vars(importlib.import_module(module)).values()
    return next(value for value in values if isinstance(value, dict) and isinstance(value.get(code), str))


def rules() -> dict[str, tuple[str, list[str]]]:
    """Return the rules that schemes add to the table, as the message and the schemes for each code."""
    found: dict[str, tuple[str, list[str]]] = {}
    for name in known():
        for rule, message in urlsm.handler(name).rules.items():
            found.setdefault(rule, (message, []))[1].append(name)
    return dict(sorted(found.items()))


def _example(rule: str) -> tuple[str, str]:
    if rule in ELSEWHERE:
        return code(ELSEWHERE[rule]), ""
    if rule not in examples.VIOLATIONS:
        return "", ""
    url, dialect, *base = examples.VIOLATIONS[rule]
    shown = code(url if len(url) < 80 else f"{url[:40]}...{url[-10:]}") + (
        f" with the base {code(base[0])}" if base else ""
    )
    return shown, "" if dialect == "rfc3986" else code(dialect)


def errors() -> str:
    rows = [(code(rule.code), prose(rule.message), *_example(rule.code), prose(rule.reference)) for rule in TABLE]
    own = [
        (code(rule), prose(said), *_example(rule), ", ".join(map(code, names[:4])) + (" ..." if names[4:] else ""))
        for rule, (said, names) in rules().items()
    ]
    return f"""# Error and violation codes

This page lists each `code` that a `ParseError` or a violation can have. `parse` raises a `ParseError` for the first
fatal violation. `validate` lists every violation of a dialect: `"rfc3986"` (with the rules of the URL's scheme) or
`"whatwg"`.

```python
>>> import urlsm
>>> [violation.code for violation in urlsm.validate("http://example.com/a b")]
['character-not-allowed']
>>> [violation.code for violation in urlsm.validate("http://[::1", dialect="whatwg")]
['IPv6-unclosed']
```

## Codes of every scheme

{table(("code", "message", "example", "dialect", "source"), rows)}
## Codes of single schemes

{table(("code", "message", "example", "dialect", "schemes"), own)}"""


def _cwe(reference: str) -> str:
    """Return the weaknesses that a reference names, each with a link to MITRE's page."""
    numbers = importlib.import_module("urlsm.security.hazards").cwe_of(reference)
    return ", ".join([f"[{number}](https://cwe.mitre.org/data/definitions/{number}.html)" for number in numbers])


def hazards() -> str:
    rows = [
        (
            code(name),
            prose(said.message),
            code(examples.HAZARDS.get(name, "")),
            _cwe(said.reference),
            prose(said.reference),
        )
        for name, said in HAZARDS.items()
    ]
    redirects = {name: said for name, said in messages("urlsm.security.redirects", "surrogate").items() if name}
    targets = [
        (code(name), prose(said), code(_short(examples.REDIRECTS.get(name, "")))) for name, said in redirects.items()
    ]
    repositories = [
        (code(name), prose(said), code(examples.GIT.get(name, "")))
        for name, said in messages("urlsm.security.git_urls", "surrogate").items()
        if name
    ]
    guard = messages("urlsm.guard.policy", "not-a-url")
    calls = [
        (code(name), prose(said), code(examples.GUARD[name]) if name in examples.GUARD else _RUN)
        for name, said in guard.items()
    ]
    traps = [(code(name), code(_short(url))) for name, url in examples.TRAPS.items()]
    return f"""# Hazard, redirect, repository and guard codes

## Hazards

`audit` returns a `Hazard` for each construct known from attacks (SSRF, parser differentials, path traversal,
homographs, CRLF injection). A hazard may be harmless where you use the URL.

{table(("code", "message", "example", "CWE", "source"), rows)}
## Redirects

`check_redirect` reports these codes. They also explain why `is_safe_redirect` returns False. The examples are targets
of a redirect from
{code(examples.BASE)} with the allowed hosts {" and ".join(map(code, examples.ALLOWED))}.

{table(("code", "message", "example"), targets)}
## Repositories

`check_git_url` reports these codes. In the examples, the allowed host is
{" and ".join(map(code, examples.GIT_ALLOWED))}, and the base is {code(examples.PARENT)}.

{table(("code", "message", "example"), repositories)}
## Guard

A `Policy` reports these codes, and the error that a guarded client raises has one of them.

{table(("code", "message", "example"), calls)}
## Crawler traps

`crawler.traps` returns these codes.

{table(("code", "example"), traps)}"""


def requests() -> str:
    faults = [
        (
            code(fault.code),
            prose(fault.message),
            str(fault.status),
            code(examples.REQUESTS.get(fault.code, "")),
            prose(fault.reference),
        )
        for fault in FAULTS
        if fault.code
    ]
    broken = [
        (code(name), prose(examples.pattern(name)[1]), code(syntax), code(line))
        for name, (syntax, line) in examples.PATTERNS.items()
    ]
    found = [
        (
            code(name) + (" (hint)" if name in HINTS else ""),
            prose(examples.lint(name)[name]),
            _syntax(syntax, more),
            "<br>".join(map(code, lines)),
        )
        for name, (syntax, lines, *more) in examples.LINT.items()
    ]
    return f"""# Request and pattern codes

## Requests

A `RequestError` has one of these codes, and `Hosts.check` and `Paths.check` report them. They say why a server cannot
know which URL was requested, or which rule protects the path, or must not respond for the host.

{table(("code", "message", "status", "example", "source"), faults)}
## Pattern errors

A `PatternError` has one of these codes. For an option of an ad-block filter, the code is the name of the option.

{table(("code", "message", "syntax", "example"), broken)}
## Lint

`lint` reports these codes. It reports a *hint* only with `hints=True`.

{table(("code", "message", "syntax", "example"), found)}"""


def _syntax(name: str, more: list[dict[str, Any]]) -> str:
    return code(name) + "".join(f", {code(f'{key}={value!r}')}" for options in more for key, value in options.items())


def _short(url: str) -> str:
    return url if len(url) < 80 else f"{url[:40]}...{url[-10:]}"


def pages() -> dict[str, str]:
    assert set(examples.TRAPS) == set(crawler.pages.TRAPS)
    return {"codes.md": errors(), "hazards.md": hazards(), "requests.md": requests()}
