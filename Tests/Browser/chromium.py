# SPDX-License-Identifier: MIT
"""A headless Chromium, driven through its DevTools protocol over a pipe: what report.py needs of it, with the standard
library alone. Input goes the way of a user's mouse and keyboard. What the page must do is in report.py."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
KEYS = {"Enter": (13, "\r"), "Escape": (27, ""), "Tab": (9, ""), "Home": (36, ""), "ArrowLeft": (37, ""),
        "ArrowUp": (38, ""), "ArrowRight": (39, ""), "ArrowDown": (40, "")}


def path():
    """The browser's executable, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class BrowserError(Exception):
    pass


class Browser:
    """One browser with one page. `complaints` are errors and warnings of the console, refused loads included."""

    def __init__(self, width=1280, height=900, dark=False):
        self.folder = tempfile.mkdtemp(prefix="genmark-browser-")
        to_browser, self.requests = os.pipe()
        self.replies, from_browser = os.pipe()

        def renumber():
            # The protocol's pipes are descriptors 3 and 4; the pipes may have those numbers the other way round.
            os.dup2(to_browser, 100)
            os.dup2(from_browser, 101)
            os.dup2(100, 3)
            os.dup2(101, 4)

        self.process = subprocess.Popen(
            [path(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--remote-debugging-pipe",
             "--user-data-dir=" + self.folder, "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=renumber,
            close_fds=False)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.session = b"", 0, None
        self.complaints, self.requested = [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.look(width, height, dark)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        os.close(self.requests)
        os.close(self.replies)
        shutil.rmtree(self.folder, ignore_errors=True)

    def look(self, width=1280, height=900, dark=False):
        """Size of the window, and which colours the user prefers."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, file, ready="document.documentElement?.dataset.ready === 'yes'", seconds=60):
        """Loads a file and waits until it says that it is up."""
        self.complaints.clear()
        self.requested.clear()
        self.call("Page.navigate", url="file://" + os.path.abspath(file))
        self.wait(ready, seconds)

    def wait(self, condition, seconds=30):
        """Until a JavaScript expression is true."""
        limit = time.monotonic() + seconds
        while not self.run(f"!!({condition})"):
            if time.monotonic() > limit:
                raise BrowserError(f"not within {seconds} s: {condition}\n" + "\n".join(self.complaints))
            time.sleep(0.02)

    def run(self, script):
        """The value of a JavaScript expression, as JSON carries it."""
        reply = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in reply:
            raise BrowserError(script + ": " + json.dumps(reply["exceptionDetails"])[:500])
        return reply["result"].get("value")

    def press(self, key):
        """One key: a name of KEYS, or a character."""
        code, text = KEYS.get(key, (ord(key[0].upper()), key))
        event = {"key": key, "windowsVirtualKeyCode": code, **({"text": text} if text else {})}
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **event)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def click(self, x, y):
        """At a point of the window."""
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def click_on(self, selector, dx=None, dy=None):
        """In the middle of an element that is scrolled into view, or at a point of it."""
        box = self.run(f"""(() => {{ const e = document.querySelector({json.dumps(selector)});
            e.scrollIntoView({{ block: 'center', behavior: 'instant' }}); const r = e.getBoundingClientRect();
            return [r.x, r.y, r.width, r.height]; }})()""")
        self.click(box[0] + (box[2] / 2 if dx is None else dx), box[1] + (box[3] / 2 if dy is None else dy))

    def picture(self, file, whole=False):
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=whole)
        with open(file, "wb") as out:
            out.write(base64.b64decode(shot["data"]))

    def call(self, method, **parameters):
        """Sends a command and waits for its reply; events that come in between are looked at."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.requests, data):]
        while True:
            reply = self.receive()
            if reply.get("id") == self.number:
                if "error" in reply:
                    raise BrowserError(f"{method}: {reply['error']}")
                return reply["result"]
            self.note(reply)

    def receive(self, seconds=120):
        while b"\0" not in self.buffer:
            if not select.select([self.replies], [], [], seconds)[0]:
                raise BrowserError("the browser does not answer")
            piece = os.read(self.replies, 1 << 16)
            if not piece:
                raise BrowserError("the browser has ended")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def note(self, event):
        method, parameters = event.get("method"), event.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.complaints.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.complaints.append(str([argument.get("value") for argument in parameters["args"]]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.complaints.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requested.append(parameters["request"]["url"])
