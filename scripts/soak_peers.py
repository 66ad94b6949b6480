"""Lets watch and the commands that read files meet what is almost right, and checks that none is ended by a signal.

  peers N [SEED]   N answers of mutated stands, for each mode of watch: live display, table, text, JSON, and the page of --listen
  files N [SEED]   N mutated files for each of verify, merge, diff, fit and plan

Every process must end with a status of the contract and take at most 300 MB. What text and JSON lines say must be lines of their own.
A mutation changes figures to those at the borders, and also texts, keys, lengths and bytes. The number of a case makes it again.
"""
import fcntl
import json
import os
import pathlib
import random
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import urllib.request

from common import PROGRAM, ROOT, check, failed

STATUSES = {0, 1, 64, 65, 66, 69, 73, 74, 75, 78, 130}
MEMORY = 300  # MB
BORDERS = ["0", "-1", "1", "-0.0", "0.5", "1e-308", "2147483648", "9007199254740992", "9007199254740993", "-9007199254740992", "1e16",
           "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551616", "1e20", "1e308", "-1e308", "1e999",
           "NaN", "-Infinity", "null", "true", '""', '"x"', "[]", "{}", "[[1]]", '{"a":1}']
TEXTS = ["", " ", "constructor", "__proto__", "a b", "a=b", "\x1b[2J", "a\nat=08:00:00 event=closed", "\u202e", "é" * 300, "x" * 5000, '"', "\\"]
QUIET = {**os.environ, "SWIFT_BACKTRACE": "enable=no", "TERM": "xterm-256color", "LANG": "C.UTF-8"}


def mutated(value, chance, rate):
    """JSON text of a value in which some figures, texts and members are others."""
    def other():
        return json.dumps(chance.choice(TEXTS)) if chance.random() < .3 else chance.choice(BORDERS)
    if isinstance(value, dict):
        members = []
        for key, inner in value.items():
            if chance.random() < rate / 8:
                continue
            key = json.dumps(chance.choice(TEXTS) if chance.random() < rate / 8 else key)
            members += [f"{key}:{mutated(inner, chance, rate)}"] * (2 if chance.random() < rate / 8 else 1)
        return "{" + ",".join(members) + "}"
    if isinstance(value, list) and chance.random() > rate / 8:
        return "[" + ",".join(mutated(inner, chance, rate) for inner in value) + "]"
    return other() if chance.random() < rate else json.dumps(value)


def damaged(data, chance):
    """Bytes of which some are others, missing or twice."""
    data = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 5))):
        place, length = chance.randrange(len(data) + 1), chance.choice((1, 2, 8, 64))
        kind = chance.randrange(4)
        if kind == 0:
            data[place:place + length] = b""
        elif kind == 1:
            data[place:place] = data[place:place + length]
        elif kind == 2:
            data[place:place + 1] = bytes([chance.randrange(256)])
        else:
            data[place:place] = chance.choice(BORDERS).encode()
    return bytes(data)


# Peers


STATUS = {"stand": "evil", "phase": "open", "opens": "2026-05-04T08:00:00", "seed": 42, "time": 10.0, "speed": 60, "rate": 1, "sequence": 397,
          "behind": {"seconds": 0, "share": 0}, "editTag": 0, "queue": 2, "present": 4, "busyMakers": 2, "makers": 2, "places": 12, "orders": 98,
          "served": 80, "lost": {"queueFull": 0, "soldOut": 3}, "substituted": 0, "cupsServed": 114, "revenue": 509.7, "lowStockAlerts": 3,
          "stock": {"kiwi": 1, "mango": None}, "onOrder": {"kiwi": 60}, "ready": True, "causes": [], "waits": {"p50": 1.5, "p95": 9, "p99": 20},
          "forecast": {"at": 1, "horizon": 3600, "fruits": {"kiwi": {"probability": 1, "p05": 11, "p50": 20, "p95": 30}}},
          "alerts": [{"seq": 1, "at": 1.0, "event": "lowStock", "fruit": "kiwi", "level": 1, "threshold": 2}], "url": "http://127.0.0.1:1/"}
STOCK = {"editTag": 0, "stock": [{"fruit": "kiwi", "names": {"ko": "키위"}, "colour": "#00ff00", "labelColour": "#ffffff", "picture": "K", "level": 1,
                                  "onOrder": 60, "lowStock": 5, "reorderPoint": 7, "capacity": None, "full": 90}]}
MENU = {"currency": "EUR", "juices": [{"juice": "kiwi juice", "names": {}, "price": 4.5, "preparation": 30, "recipe": {"kiwi": 3}}]}
LINES = [{"event": "orderPlaced", "order": 7, "juice": "kiwi juice", "cups": 1, "by": "customer"}, {"event": "orderStarted", "order": 7},
         {"event": "orderServed", "order": 7, "wait": 1.5, "stay": 20.25}, {"event": "lowStock", "fruit": "kiwi", "level": 1, "threshold": 5},
         {"event": "opened", "stand": "evil", "opens": "2026-05-04T08:00:00", "seed": 1, "configuration": "0", "stock": {"kiwi": 1}},
         {"event": "rateChanged", "factor": 2.0}, {"event": "orderLost", "order": 8, "juice": "x", "cups": 1, "reason": "soldOut", "fruit": "kiwi"}]


def events(chance, first):
    for number in range(first + 1, first + 1 + chance.choice((1, 5, 30))):
        line = {"seq": number, "at": float(number), **chance.choice(LINES)}
        text = mutated(line, chance, .15) if chance.random() < .5 else json.dumps(line, separators=(",", ":"))
        mark = chance.choice(BORDERS) if chance.random() < .05 else number
        yield f"id: {mark}\ndata: {text}\n\n"
        if chance.random() < .1:
            after, before = (chance.choice(BORDERS) if chance.random() < .5 else number + chance.randrange(-3, 9) for _ in range(2))
            yield f'event: gap\ndata: {{"after":{after},"first":{before}}}\n\n'


def answer(client, chance):
    """Answers one request of a client."""
    with client:
        client.settimeout(20)
        head = b""
        while b"\r\n\r\n" not in head and (piece := client.recv(65536)):
            head += piece
        words = head.split(b" ")
        path = words[1].split(b"?")[0].decode("latin-1") if len(words) > 1 else ""
        if path == "/api/v1/events":
            client.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nretry: 1000\n\n")
            for text in events(chance, 397):
                client.sendall(damaged(text.encode(), chance) if chance.random() < .03 else text.encode())
            return time.sleep(chance.choice((0, 0, 1)))
        content = {"/api/v1/status": STATUS, "/api/v1/stock": STOCK, "/api/v1/menu": MENU}.get(path, {})
        body = (mutated(content, chance, chance.choice((0, .02, .1, .5)))).encode()
        if chance.random() < .05:
            body = damaged(body, chance)
        length = chance.choice(["-5", "0", "99999999999999999999", "x", str(len(body) + 7)]) if chance.random() < .05 else len(body)
        field = f"Content-Length: {length}\r\n" if chance.random() < .9 else ""
        client.sendall(f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n{field}Connection: close\r\n\r\n".encode() + body)


class Peers:
    """Serves any number of stands: every address of 127.0.0.0/8 at one port is one."""

    def __init__(self, seed):
        self.chance, self.served, self.lock = random.Random(seed), 0, threading.Lock()
        self.listener = socket.create_server(("", 0), backlog=1024)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            client = self.listener.accept()[0]
            with self.lock:
                self.served += 1
                chance = random.Random(self.chance.random())
            threading.Thread(target=self.one, args=(client, chance), daemon=True).start()

    def one(self, client, chance):
        try:
            answer(client, chance)
        except OSError:
            pass

    def targets(self, count):
        return [f"http://127.{1 + number // 60000}.{number // 250 % 250}.{1 + number % 250}:{self.port}" for number in range(count)]


def watch(mode, targets, seconds, problems):
    """Runs watch in a mode for some seconds. Appends what went wrong."""
    listen = socket.create_server(("127.0.0.1", 0)).getsockname()[1] if mode == "page" else None
    more = {"text": ["--format", "text", "--since", "0"], "json": ["--format", "json", "--since", "0"], "page": ["--listen", f"127.0.0.1:{listen}"]}
    if mode in ("live", "table"):
        master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        process = subprocess.Popen([PROGRAM, "watch", *targets], env=QUIET, stdin=slave, stdout=slave, stderr=subprocess.PIPE, start_new_session=True)
        os.close(slave)
        output = open(master, "rb", buffering=0)
    else:
        process = subprocess.Popen([PROGRAM, "watch", *targets, *more[mode]], env=QUIET, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        output = process.stdout
    said, end, most = b"", time.monotonic() + seconds, 0
    errors = threading.Thread(target=process.stderr.read, daemon=True)
    errors.start()
    while time.monotonic() < end and process.poll() is None:
        if select.select([output], [], [], .1)[0]:
            try:
                said += os.read(output.fileno(), 1 << 20)
            except OSError:
                break
        if mode == "live" and random.random() < .2:
            os.write(output.fileno(), random.choice((b"\t", b"?", b"[", b"n", b">", b"f1\r", b"\x1b", b"o1\r", b"/a\r")))
        if mode == "page":
            try:
                json.loads(urllib.request.urlopen(f"http://127.0.0.1:{listen}/api/v1/stands", timeout=5).read())
            except OSError:
                pass
        try:
            most = max(most, int(next(line for line in open(f"/proc/{process.pid}/status") if line.startswith("VmHWM")).split()[1]) >> 10)
        except (OSError, StopIteration):
            pass
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    try:
        status = process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        status = "still running 20 s after SIGTERM"
    if status not in STATUSES or most > MEMORY:
        problems.append(f"{mode}: status {status}, {most} MB")
    lines = said.decode("utf-8", "replace").split("\n")[:-1] if mode in ("text", "json") else []
    for line in lines:
        if any(ord(letter) < 32 or 127 <= ord(letter) < 160 for letter in line) or not (line.startswith("at=") if mode == "text" else is_json(line)):
            problems.append(f"{mode}: the line {line!r}")
            break
    output.close()


def is_json(line):
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def peers(count, seed):
    for mode in ("table", "page", "text", "json", "live"):
        server, problems, begun = Peers(seed), [], time.monotonic()
        while server.served < count and not problems:
            if mode == "live":
                several = [threading.Thread(target=watch, args=("live", [target], 6, problems)) for target in server.targets(16)]
                for one in several:
                    one.start()
                for one in several:
                    one.join()
            else:
                watch(mode, server.targets(200), 30 if mode in ("table", "page") else 5, problems)
        check(not problems, f"watch, {mode}: {server.served} answers of mutated stands, seed {seed}, {time.monotonic() - begun:.0f} s {problems[:3]}")


# Files


def files(count, seed):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)

        def run(*words, limit=120):
            process = subprocess.Popen([PROGRAM, *words], cwd=folder, env=QUIET, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            timer = threading.Timer(limit, process.kill)
            timer.start()
            said = process.stderr.read()
            _, status, usage = os.wait4(process.pid, 0)
            timer.cancel()
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, usage.ru_maxrss >> 10, said
        shutil.copy(ROOT / "config/stand.json", folder / "stand.json")
        simulate = ["simulate", "--for", "10m", "--no-timing", "--replications", "4"]
        for words in (["simulate", "--for", "2h", "--ledger", "ledger"], [*simulate, "--output", "a.json"], [*simulate, "--seed", "9", "--output", "b.json"],
                      [*simulate, "--shard", "1/2", "--output", "p1.json"], [*simulate, "--shard", "2/2", "--output", "p2.json"]):
            if run(*words)[0]:
                return check(False, f"juicestand {' '.join(words)} failed")
        plain = json.loads(subprocess.run([PROGRAM, "check-config", "stand.json"], cwd=folder, capture_output=True, text=True, check=True).stdout)
        till = "\n".join(["Date,Time,Order,Item,Quantity"] + [f"2016-10-{1 + n // 9:02},{8 + n % 9:02}:{n * 7 % 60:02}:11,{n},Tea,1" for n in range(240)])
        cases = {
            "verify": ("ledger", ["verify", "X"]), "merge": ("p1.json", ["merge", "X", "p2.json", "--format", "json", "--report", "r.html"]),
            "diff": ("a.json", ["diff", "X", "b.json", "--report", "r.html"]), "fit": ("till.csv", ["fit", "X", "--write", "w.json", "--report", "r.html"]),
            "plan": ("plain.json", ["plan", "--config", "X", "--maximize", "profit", "--over", "makers=1,2", "--for", "2m", "--max-replications", "12"])}
        (folder / "till.csv").write_text(till)
        (folder / "plain.json").write_text(json.dumps(plain))
        for command, (source, words) in cases.items():
            problems, begun, original, statuses, most = [], time.monotonic(), (folder / source).read_bytes(), {}, 0
            for number in range(count):
                chance = random.Random(f"{seed} {command} {number}")
                data = original
                if command == "fit" and number % 3 == 2:
                    data = (folder / "ledger").read_bytes()[:20000]
                if data[:1] == b"{" and chance.random() < .7:
                    data = "\n".join(mutated(json.loads(line), chance, chance.choice((.003, .03))) if chance.random() < (1 if command != "verify" else .1) else line
                                     for line in (data.decode().splitlines() if command in ("verify", "fit") else [data.decode()]) if is_json(line)).encode() + b"\n"
                else:
                    data = damaged(data, chance)
                (folder / "X").write_bytes(data)
                status, memory, said = run(*words)
                statuses[status], most = statuses.get(status, 0) + 1, max(most, memory)
                if status not in STATUSES or memory > MEMORY or any(byte < 32 and byte != 10 for byte in said):
                    problems.append(f"case {number}: status {status}, {memory} MB, {said[-200:]!r}")
                    shutil.copy(folder / "X", f"/tmp/soak-{command}-{number}")
                    if len(problems) == 3:
                        break
            check(not problems, f"{command}: {number + 1} mutated files, seed {seed}, statuses {statuses}, {most} MB, {time.monotonic() - begun:.0f} s {problems}")


if __name__ == "__main__":
    {"peers": peers, "files": files}[sys.argv[1]](int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    sys.exit(bool(failed))
