"""What the scripts share: the program, promises that are kept or not, and a running stand."""
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

if sys.argv[1:2] == ["--help"]:
    sys.exit(print(sys.modules["__main__"].__doc__.strip()))

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = pathlib.Path(os.environ.get("JUICESTAND", ROOT / ".build/release/juicestand")).resolve()
DEADLINE = 120  # seconds for anything to become ready
failed, stands = [], []


def check(is_kept, what):
    """Prints a promise with what was found."""
    print(("✔ " if is_kept else "✘ ") + what, flush=True)
    if not is_kept:
        failed.append(what)


def run_parts(parts, chosen, run=lambda part: part()):
    """Runs the chosen parts, and ends the script with status 1 if a promise was not kept."""
    if unknown := [name for name in chosen if name not in parts]:
        sys.exit(f"{sys.argv[0]}: unknown part {unknown[0]}; the parts are {', '.join(parts)}")
    if not os.access(PROGRAM, os.X_OK):
        sys.exit(f"{sys.argv[0]}: {PROGRAM} is missing: swift build -c release")
    try:
        for name in chosen:
            print(f"== {name}", flush=True)
            run(parts[name])
    finally:
        for stand in stands:
            stand.process.kill()
    sys.exit(1 if failed else 0)


def run(*command, **options):
    """A command that ends by itself; its output is text."""
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)


def juicestand(*arguments, expected=(0,)):
    """What the program prints."""
    result = run(PROGRAM, *arguments)
    if result.returncode not in expected:
        sys.exit(f"juicestand {' '.join(map(str, arguments))}: status {result.returncode}: {result.stderr}")
    return result.stdout


def eventually(what, condition):
    """Waits until the condition gives something; `what` says for what, or finds it out at the end."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.05)
    sys.exit(f"{sys.argv[0]}: {what() if callable(what) else what} did not happen within {DEADLINE} s")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class SocketConnection(http.client.HTTPConnection):
    """HTTP over a stand's Unix socket."""

    def __init__(self, path, timeout=30):
        super().__init__("localhost", timeout=timeout)
        self.path = str(path)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Stand:
    """A running stand in a folder of its own, ready for clients.

    LEDGER and STATE among the options stand for those options with a path in the folder. `under` is a command that runs the program.
    """

    def __init__(self, config, *options, home=None, under=()):
        if home is None:
            self.folder = tempfile.TemporaryDirectory(prefix="juicestand-")
            home = self.folder.name
        self.home = pathlib.Path(home)
        self.home.mkdir(exist_ok=True)
        self.socket, self.ledger, self.output, self.errors = (self.home / name for name in ("socket", "ledger.jsonl", "output", "errors"))
        if isinstance(config, dict):
            (self.home / "stand.json").write_text(json.dumps(config))
            config = self.home / "stand.json"
        self.config, self.options, self.under = config, options, under
        self.start()

    def start(self):
        # Another program may take the port first.
        while not self.begin():
            if "Address already in use" not in self.errors.read_text():
                sys.exit(f"{sys.argv[0]}: the stand in {self.home} did not become ready: {self.errors.read_text()}")

    def begin(self):
        """Whether it became ready."""
        words = {"LEDGER": ["--ledger", self.ledger], "STATE": ["--state", self.home / "state"]}
        self.port = free_port()
        command = [*self.under, PROGRAM, "run", "--config", self.config, "--display", "none", "--format", "json", "--socket", self.socket, "--listen",
                   f"127.0.0.1:{self.port}", *(word for option in self.options for word in words.get(option, [option]))]
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify, open(self.output, "wb") as output, open(self.errors, "wb") as errors:
            (self.home / "notify").unlink(missing_ok=True)
            notify.bind(str(self.home / "notify"))
            notify.settimeout(1)
            begun = time.perf_counter()
            self.process = subprocess.Popen([str(word) for word in command], cwd=ROOT, env={**os.environ, "NOTIFY_SOCKET": str(self.home / "notify")},
                                            stdin=subprocess.DEVNULL, stdout=output, stderr=errors)
            if self not in stands:
                stands.append(self)
            while time.perf_counter() - begun < DEADLINE and self.process.poll() is None:
                try:
                    if b"READY=1" in notify.recv(4096):
                        self.readiness = time.perf_counter() - begun
                        return True
                except TimeoutError:
                    pass
            self.process.kill()
            return False

    def request(self, method, path, body=None, headers={}, over_socket=False):
        """The answer and its text."""
        connection = SocketConnection(self.socket) if over_socket else http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        if body is not None:
            body, headers = json.dumps(body), {"Content-Type": "application/json", **headers}
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        text = response.read().decode()
        connection.close()
        return response, text

    def get(self, path, over_socket=False):
        return self.request("GET", path, over_socket=over_socket)[1]

    def status(self):
        return json.loads(self.get("/api/v1/status"))

    def ask(self, command, *arguments):
        """What a command of the program prints about this stand."""
        return juicestand(command, *arguments, "--socket", self.socket)

    def memory(self, of="VmRSS"):
        """In kB; resident unless `of` names another figure of the system."""
        return int(re.search(rf"{of}:\s+(\d+)", pathlib.Path(f"/proc/{self.process.pid}/status").read_text())[1])

    def program(self):
        """The process of the program, which may be a child of the command it runs under."""
        children = run("ps", "--ppid", self.process.pid, "-o", "pid=").stdout.split()
        return int(children[0]) if self.under and children else self.process.pid

    def end(self, number=signal.SIGTERM):
        """Sends a signal; the seconds until the end."""
        begun = time.perf_counter()
        self.process.send_signal(number)
        self.wait(0 if number == signal.SIGTERM else -number)
        return time.perf_counter() - begun

    def wait(self, expected=0):
        status = self.process.wait(timeout=600)
        if status != expected:
            check(False, f"ended with status {status}: {self.errors.read_text()}")

    def stop(self):
        """Closes it; the figures of its summary."""
        self.ask("stop")
        return self.summary()

    def summary(self):
        self.wait()
        return json.loads(self.output.read_bytes().splitlines()[-1])["metrics"]
