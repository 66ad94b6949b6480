"""A browser without a window, driven over the WebDriver protocol with nothing but Python's own library."""

import base64
import json
import socket
import subprocess
import tempfile
import threading
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


class Browser:
    """Chromium behind a chromedriver of its own; `with` ends both."""

    def __init__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.driver = subprocess.Popen(["chromedriver", f"--port={self.port}"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for line in self.driver.stdout:
            if b"started successfully" in line:
                break
        # No sandbox within a container, which may have little shared memory, too.
        arguments = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars"]
        wanted = {"browserName": "chrome", "goog:chromeOptions": {"args": arguments}, "timeouts": {"script": 600_000}}
        self.session = ""
        self.session = "/" + self.send("POST", "session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.send("DELETE", "")
        self.driver.terminate()
        self.driver.wait()

    def send(self, method, path, content=None):
        """The value of the answer to a command."""
        path = "session" + self.session + ("/" + path if path and self.session else "")
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}/{path}", method=method)
        if method == "POST":
            request.data = json.dumps(content or {}).encode()
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)["value"]

    def tool(self, command, **parameters):
        """What a command of the developer tools answers."""
        return self.send("POST", "goog/cdp/execute", {"cmd": command, "params": parameters})

    def open(self, address, width=1280, height=900, scale=1, dark=False, language="en"):
        """Opens a page anew, as a browser of that look does."""
        self.tool("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.size = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": width < 500}
        self.tool("Emulation.setDeviceMetricsOverride", **self.size)
        agent = self.value("navigator.userAgent")
        self.tool("Emulation.setUserAgentOverride", userAgent=agent, acceptLanguage=language)
        self.send("POST", "url", {"url": "about:blank"})
        self.send("POST", "url", {"url": address})

    def value(self, expression):
        return self.send("POST", "execute/sync", {"script": "return " + expression, "args": []})

    def wait(self, expression):
        """The value of an expression of the page as soon as it is one."""
        script = f"const look = () => {{ const found = {expression}; found ? arguments[0](found) : setTimeout(look, 50); }}; look();"
        return self.send("POST", "execute/async", {"script": script, "args": []})

    def grow(self):
        """Makes the window as high as the page in it."""
        height = self.value("document.documentElement.scrollHeight")
        self.tool("Emulation.setDeviceMetricsOverride", **{**self.size, "height": height})

    def screenshot(self, file):
        Path(file).write_bytes(base64.b64decode(self.send("GET", "screenshot")))


class Stand:
    """`juicestand run` on a free port of the loopback, with a socket of its own; `with` ends it."""

    def __init__(self, program, *arguments, listen="127.0.0.1:0"):
        self.folder = tempfile.TemporaryDirectory()
        command = [program, "run", "--listen", listen, "--socket", self.folder.name + "/socket", "--display", "text", "--format", "json"]
        self.process = subprocess.Popen([*command, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        line = ""
        while '"event":"listening"' not in line:
            said, line = line, self.process.stdout.readline()
            if not line:
                raise SystemExit(f"the stand does not open: {said}")
        # The pipe must never fill up.
        threading.Thread(target=self.process.stdout.read, daemon=True).start()
        said = json.loads(line)
        self.url = said["url"]
        self.token = Path(said["tokenFile"]).read_text().strip()
        self.link = self.url + "#token=" + self.token

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.folder.cleanup()

    def send(self, method, path, content=None, **fields):
        """The JSON of the answer to a request."""
        request = urllib.request.Request(self.url + path, method=method, headers={"authorization": "Bearer " + self.token, **fields})
        if content is not None:
            request.data = json.dumps(content).encode()
            request.add_header("content-type", "application/json")
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
