"""A real browser without a window: Chromium, driven by chromedriver (https://www.w3.org/TR/webdriver2/)."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import urllib.request
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
MISSING = None if CHROMIUM and DRIVER else "chromium and chromedriver are not installed"
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    """One window. Its methods are the standard's commands."""

    def __init__(self, profile: str) -> None:
        self._driver = subprocess.Popen([str(DRIVER), "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        assert self._driver.stdout is not None
        line = next(line for line in iter(self._driver.stdout.readline, b"") if b"successfully on port" in line)
        self._root = f"http://127.0.0.1:{line.split()[-1].decode().rstrip('.')}/session"
        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={profile}"]
        wanted = {
            "goog:chromeOptions": {"binary": CHROMIUM, "args": options},
            "goog:loggingPrefs": {"browser": "ALL"},
            "unhandledPromptBehavior": "ignore",
        }
        made = self._ask("POST", "", {"capabilities": {"alwaysMatch": wanted}})
        self._root += f"/{made['sessionId']}"

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *error: object) -> None:
        try:
            self._ask("DELETE", "")
        finally:
            self._driver.terminate()
            self._driver.wait(30)
            self._driver.stdout.close()  # type: ignore[union-attr]

    def _ask(self, method: str, path: str, data: dict[str, Any] | None = None) -> Any:
        body = None if data is None else json.dumps(data).encode()
        request = urllib.request.Request(self._root + path, body, {"Content-Type": "application/json"}, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=120) as answer:
            return json.load(answer)["value"]

    def open(self, url: str) -> None:
        self._ask("POST", "/url", {"url": url})

    @property
    def url(self) -> str:
        return str(self._ask("GET", "/url"))

    @property
    def title(self) -> str:
        return str(self._ask("GET", "/title"))

    def run(self, script: str) -> Any:
        """Return the result of our script; the page's policy applies only to its own."""
        return self._ask("POST", "/execute/sync", {"script": script, "args": []})

    def style(self, selector: str, name: str) -> str:
        """The computed style of the first such element."""
        found = self._ask("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]
        return str(self._ask("GET", f"/element/{found}/css/{name}"))

    def type(self, keys: str) -> None:
        """Press keys, into whatever has the focus."""
        found = self._ask("GET", "/element/active")[ELEMENT]
        self._ask("POST", f"/element/{found}/value", {"text": keys})

    def resize(self, width: int, height: int) -> None:
        """The page's own area, in CSS pixels."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self._devtools("Emulation.setDeviceMetricsOverride", **size)

    def prefer(self, scheme: str) -> None:
        """light or dark."""
        self._devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self) -> bytes:
        """Return the visible page, as PNG."""
        return base64.b64decode(self._ask("GET", "/screenshot"))

    def complaints(self) -> list[str]:
        """Return the console's messages since the last call, such as a refused script or style."""
        return [str(entry["message"]) for entry in self._ask("POST", "/se/log", {"type": "browser"})]

    def _devtools(self, command: str, **given: Any) -> Any:
        return self._ask("POST", "/goog/cdp/execute", {"cmd": command, "params": given})
