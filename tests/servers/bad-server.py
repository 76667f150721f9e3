#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A server that does all that a server must not.

bad-server.py MODE REVISION: MODE says how it starts and lists its tools, the names of the tools say
what it does when they are called. With revision 2026-07-28 it is a modern server, with any other a
legacy one.
"""
import json
import os
import signal
import subprocess
import sys
import time

MODE = sys.argv[1]
REVISION = sys.argv[2]
MODERN = REVISION == "2026-07-28"
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"

out = sys.stdout.buffer
subscription = None
n_lists = 0


def raw(data):
    out.write(data)
    out.flush()


def send(message):
    raw(json.dumps(message).encode() + b"\n")


def result(id, **members):
    return {"jsonrpc": "2.0", "id": id, "result": {"resultType": "complete", **members}}


def error(id, code, text):
    return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": text}}


def text(id, words):
    return result(id, content=[{"type": "text", "text": words}])


def complain(words):
    sys.stderr.write(words + "\n")
    sys.stderr.flush()


def die(status, words):
    complain(words)
    os._exit(status)


# What the tools do.


def echo(id, arguments):
    send(text(id, "fine"))


def exit_in_call(id, arguments):
    die(7, "the disk is full")


def silent(id, arguments):
    pass


def twice(id, arguments):
    send(text(id, "fine"))
    send(text(id, "again"))
    send(error(id, -32603, "and again"))


def unknown_id(id, arguments):
    for other in (0, -1, id + 1, id + 1000, 2**63, 1e300, None, True, [], {}):
        send(text(other, "wrong"))
    send(text(id, "fine"))


def string_id(id, arguments):
    send(text(str(id), "wrong"))
    send(text(id, "fine"))


def batch(id, arguments):
    send([text(id, "from a batch")])
    send(text(id, "alone"))


def bad_utf8(id, arguments):
    raw(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"\xc3("}]}}\n' % id)


def noise(id, arguments):
    raw(b"[" * 200 * 1024 + b"\n")
    raw(b"\xff\xfe\x00{\n{}\n{]\nnull\n7\n\n\r\n\"x\"\n" + b'{"a":' * 100000 + b"\n")
    raw(b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700}}\n')
    send(text(id, "fine"))


def huge(id, arguments):
    raw(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":"' % id)
    for _ in range(100):
        raw(b"x" * 1000000)
    raw(b'"}]}}\n')


def cut(id, arguments):
    raw(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"te' % id)
    die(5, "ran out of memory")


def byte_by_byte(id, arguments):
    for byte in json.dumps(text(id, "größer")).encode() + b"\r\n":
        raw(bytes([byte]))


def flood(id, arguments):
    block = b"blah blah blah\n" * 65536
    for _ in range(104):
        os.write(2, block)
    os.write(2, b"the end of the flood\n")
    send(text(id, "fine"))


def picky(id, arguments):
    if arguments == {"n": 7}:
        send(text(id, "fine"))
    elif MODERN:
        send(result(id, isError=True, content=[{"type": "text", "text": "n has to be 7"}]))
    else:
        send(error(id, -32602, "n has to be 7"))


def ask(id, method, **params):
    send({"jsonrpc": "2.0", "id": id, "method": method, "params": params})


def elicit(id, size):
    ask(id, "elicitation/create", message="x" * size, requestedSchema={"type": "object", "properties": {}})


def sample(id, size):
    image = {"type": "image", "mimeType": "image/png", "data": "AAAA" * (size // 4)}
    ask(id, "sampling/createMessage", maxTokens=1, messages=[{"role": "user", "content": image}])


def questions(id, arguments):
    """Questions of every size, none of which is answered: each kind alone is more than may be kept."""
    for i in range(12):
        elicit(f"large {i}", 30_000_000)
    for i in range(15):
        sample(f"sample {i}", 15_000_000)
    for i in range(150):
        elicit(f"small {i}", 900_000)
    for i in range(30):
        ask(f"{i} " + "i" * 5_000_000, "ping")
    send(text(id, "fine"))


def unread(id, arguments):
    """Requests without end, whose answers nobody reads."""
    for i in range(150):
        raw(b"".join(b'{"jsonrpc":"2.0","id":"%s %d","method":"ping"}\n' % (b"i" * 1000, i * 1000 + j)
                     for j in range(1000)))
    while True:
        time.sleep(1000)


def state(id, arguments):
    """A call that is to be made again with what this server wants kept for it."""
    send({"jsonrpc": "2.0", "id": id, "result": {
        "resultType": "input_required", "requestState": "s" * arguments["size"],
        "inputRequests": {"k" * arguments["key"]: {
            "method": "elicitation/create",
            "params": {"message": "?", "requestedSchema": {"type": "object", "properties": {}}}}}}})


TOOLS = {
    "questions": questions,
    "state": state,
    "unread": unread,
    "echo": echo,
    "exit": exit_in_call,
    "silent": silent,
    "twice": twice,
    "unknown-id": unknown_id,
    "string-id": string_id,
    "batch": batch,
    "bad-utf8": bad_utf8,
    "noise": noise,
    "huge": huge,
    "cut": cut,
    "byte-by-byte": byte_by_byte,
    "flood": flood,
    "picky": picky,
}


def list_tools(id, params):
    global n_lists
    n_lists += 1
    schema = {"type": "object"}

    if MODE == "many":
        tools = [{"name": f"tool{i}", "inputSchema": schema} for i in range(10000)]
        tools[5000] = {"name": 5000, "inputSchema": schema}
        send(result(id, tools=tools))
    elif MODE == "loop":
        send(result(id, tools=[{"name": f"tool{n_lists}", "inputSchema": schema}],
                    nextCursor="round" if n_lists % 2 else "and round"))
    elif MODE == "endless":
        send(result(id, tools=[], nextCursor=f"page {n_lists}"))
    elif MODE == "flapping":
        complain("listed")
        send(result(id, tools=[{"name": f"tool{n_lists}", "inputSchema": schema}]))
        for _ in range(3):
            send({"jsonrpc": "2.0", "method": "notifications/tools/list_changed",
                  "params": {"_meta": {SUBSCRIPTION: subscription}}})
    else:
        send(result(id, tools=[{"name": name, "inputSchema": schema} for name in TOOLS]))


def discover(id, params):
    if MODE == "exit-in-handshake":
        die(4, "no licence")
    if MODE == "slow-probe":
        time.sleep(0.5)
    if MODERN:
        send(result(id, supportedVersions=[REVISION], capabilities={"tools": {"listChanged": True}}))
    else:
        send(error(id, -32601, "Method not found"))


def initialize(id, params):
    if MODE == "exit-in-handshake":
        die(4, "no licence")
    if MODERN:
        send(error(id, -32601, "This server speaks 2026-07-28"))
    else:
        send(result(id, protocolVersion=REVISION, capabilities={"tools": {"listChanged": True}},
                    serverInfo={"name": "bad", "version": "1"}))


def listen(id, params):
    global subscription
    subscription = id
    send({"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
          "params": {"_meta": {SUBSCRIPTION: id}, "notifications": {"toolsListChanged": True}}})


def call(id, params):
    TOOLS[params["name"]](id, params["arguments"])


METHODS = {
    "server/discover": discover,
    "initialize": initialize,
    "tools/list": list_tools,
    "tools/call": call,
    "subscriptions/listen": listen,
}


def main():
    if MODE == "exit-at-once":
        die(3, "cannot find my settings")
    if MODE == "mute":
        complain("still loading the model")
    if MODE == "banner":
        raw(b"Welcome to the bad server 1.0!\n\n  [info] {listening}\n\xe2\x9c\x93 ready\n")
    if MODE == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        child = subprocess.Popen(["sleep", "1000"])
        complain(f"pids: {os.getpid()} {child.pid}.")

    for line in sys.stdin.buffer:
        message = json.loads(line)
        if MODE != "mute" and message.get("method") in METHODS and "id" in message:
            METHODS[message["method"]](message["id"], message["params"])

    while MODE == "stubborn":
        time.sleep(1000)


main()
