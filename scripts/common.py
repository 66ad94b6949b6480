"""What the scripts share: the program, promises that are kept or not, and a running stand."""
import concurrent.futures
import contextlib
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
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


class Skipped(SystemExit):
    """The reason why something cannot run here: a part is skipped, and a script without parts ends with status 1."""


def tool(name, package):
    if found := shutil.which(name):
        return found
    raise Skipped(f"{name} is missing: install the Debian package {package}")


def run_parts(parts, chosen=()):
    """Runs the chosen parts or all, each in a new folder, and ends the script, with status 1 if a promise was not kept."""
    if unknown := [name for name in chosen if name not in parts]:
        sys.exit(f"{sys.argv[0]}: unknown part {unknown[0]}; the parts are {', '.join(parts)}")
    if not os.access(PROGRAM, os.X_OK):
        sys.exit(f"{sys.argv[0]}: {PROGRAM} is missing: swift build -c release")
    for name in chosen or parts:
        print(f"== {name}", flush=True)
        with tempfile.TemporaryDirectory(prefix="juicestand-", ignore_cleanup_errors=True) as folder:
            try:
                parts[name](pathlib.Path(folder))
            except Skipped as reason:
                print(f"skipped: {reason}")
            finally:
                for stand in stands:
                    if stand.process.poll() is None:
                        os.killpg(stand.process.pid, signal.SIGKILL)
                        stand.process.wait()
                stands.clear()
    sys.exit(1 if failed else 0)


def run(*command, **options):
    """A command that ends by itself; its output is text."""
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)


def juicestand(*arguments, expected=(0,)):
    """What the program prints."""
    result = run(PROGRAM, *arguments)
    if result.returncode not in expected:
        sys.exit(f"juicestand {' '.join(map(str, arguments))}: status {result.returncode}: {result.stdout}{result.stderr}")
    return result.stdout


def exponential(mean):
    return {"exponential": {"mean": mean}}


def one_juice(rate, preparation=exponential(0.01), makers="unlimited", fruit={"initial": "unlimited"}, **more):
    """The configuration of a stand with one juice of one fruit, and with `rate` customers a second."""
    return {"fruits": {"kiwi": fruit}, "menu": {"kiwi juice": {"recipe": {"kiwi": 1}, "preparation": preparation}}, "makers": makers,
            "customers": {"arrivals": {"poisson": {"perSecond": rate}}}, **more}


def write(path, value):
    """Writes a text, or a value as JSON. Returns the path."""
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def finish(process, seconds=600):
    """Waits for the end of a process, and kills it after some seconds. Its exit status, and what it used of the machine."""
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    _, status, usage = os.wait4(process.pid, 0)
    timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage


def in_parallel(function, tasks, workers=os.cpu_count()):
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        return list(pool.map(function, tasks))


def worked(process):
    """Seconds of the processor that a process used, or one of its threads, as NUMBER/task/NUMBER."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def megabytes(process, of="VmRSS"):
    """Memory of a process: resident unless `of` names another figure of the system."""
    return int(re.search(rf"{of}:\s+(\d+)", pathlib.Path(f"/proc/{process}/status").read_text())[1]) / 1024


def eventually(what, condition):
    """Waits until the condition gives something; `what` says for what, or finds it out at the end."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        if found := condition():
            return found
        time.sleep(0.05)
    sys.exit(f"{sys.argv[0]}: {what() if callable(what) else what} did not happen within {DEADLINE} s")


def exchange(path, method, target, body=None, headers={}):
    """The answer over a stand's Unix socket, and its text; the body is a value for JSON."""
    if body is not None:
        body, headers = json.dumps(body), {"Content-Type": "application/json", **headers}
    connection = http.client.HTTPConnection("localhost")
    with contextlib.closing(connection):
        connection.sock = socket.socket(socket.AF_UNIX)
        connection.sock.settimeout(DEADLINE)
        connection.sock.connect(str(path))
        connection.request(method, target, body, headers)
        response = connection.getresponse()
        return response, response.read().decode()


class Stand:
    """A running stand in a folder of its own, ready for clients.

    LEDGER and STATE among the options stand for those options with a path in the folder. `under` is a command that runs the program.
    It does not hear the Ctrl-C of the script.
    """

    def __init__(self, config, *options, home=None, under=()):
        if home is None:
            self.folder = tempfile.TemporaryDirectory(prefix="juicestand-")
            home = self.folder.name
        self.home = pathlib.Path(home)
        self.home.mkdir(exist_ok=True)
        self.socket, self.ledger, self.output, self.errors = (self.home / name for name in ("socket", "ledger.jsonl", "output", "errors"))
        if isinstance(config, dict):
            config = write(self.home / "stand.json", config)
        self.config, self.options, self.under = config, options, under
        self.start()

    def start(self):
        words = {"LEDGER": ["--ledger", self.ledger], "STATE": ["--state", self.home / "state"]}
        config = ["--config", self.config] if self.config else []
        command = [*self.under, PROGRAM, "run", *config, "--display", "none", "--format", "json", "--socket", self.socket, "--listen",
                   "127.0.0.1:0", *(word for option in self.options for word in words.get(option, [option]))]
        (self.home / "notify").unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify, open(self.output, "wb") as output, open(self.errors, "wb") as errors:
            notify.bind(str(self.home / "notify"))
            notify.settimeout(1)
            begun = time.perf_counter()
            self.process = subprocess.Popen([str(word) for word in command], cwd=ROOT, env={**os.environ, "NOTIFY_SOCKET": str(self.home / "notify")},
                                            stdin=subprocess.DEVNULL, stdout=output, stderr=errors, start_new_session=True)
            if self not in stands:
                stands.append(self)
            while time.perf_counter() - begun < DEADLINE and self.process.poll() is None:
                try:
                    if b"READY=1" in notify.recv(4096):
                        self.readiness = time.perf_counter() - begun
                        return
                except TimeoutError:
                    pass
        sys.exit(f"{sys.argv[0]}: the stand in {self.home} did not become ready: {self.errors.read_text()}")

    def request(self, method, path, body=None, headers={}):
        """The answer and its text."""
        return exchange(self.socket, method, path, body, headers)

    def status(self):
        return json.loads(self.request("GET", "/api/v1/status")[1])

    def address(self):
        """Host and port."""
        return self.status()["url"].removeprefix("http://").rstrip("/")

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

    def summary(self):
        """The figures of its summary, after its end."""
        self.wait()
        return json.loads(self.output.read_bytes().splitlines()[-1])["metrics"]
