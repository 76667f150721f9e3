#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A modern server whose tools go on as tasks, which it keeps in a file.

task-server.py FILE: the tasks outlive the process, as those of a server with a database do. A task
goes on a step each time it is asked for.
"""
import json
import sys
import uuid

FILE = sys.argv[1]
EXTENSION = "io.modelcontextprotocol/tasks"
TIME = "2026-07-28T10:00:00Z"
QUESTION = {
    "method": "elicitation/create",
    "params": {
        "message": "How deep?",
        "requestedSchema": {"type": "object", "properties": {"depth": {"type": "integer"}}, "required": ["depth"]},
    },
}


class Refusal(Exception):
    pass


def load():
    try:
        with open(FILE) as file:
            return json.load(file)
    except FileNotFoundError:
        return {}


def save(tasks):
    with open(FILE, "w") as file:
        json.dump(tasks, file)


def find(tasks, params):
    task = tasks.get(params.get("taskId"))
    if task is None:
        raise Refusal(-32602, "Task not found")
    return task


def describe(task):
    state = {key: task[key] for key in ("taskId", "status", "statusMessage")}
    state |= {"createdAt": TIME, "lastUpdatedAt": TIME, "ttlMs": None, "pollIntervalMs": 50}
    if task["status"] == "input_required":
        state["inputRequests"] = {"depth": QUESTION}
    if task["status"] == "completed":
        words = f"dug {task['steps']} steps, {task['depth']} deep"
        state["result"] = {"content": [{"type": "text", "text": words}]}
    return state


def step(task):
    if task["status"] == "working":
        task["done"] += 1
        task["statusMessage"] = f"step {task['done']} of {task['steps']}"
        if task["done"] >= task["steps"]:
            task["status"] = "completed"
        elif task["asks"] and task["depth"] is None:
            task["status"] = "input_required"


def discover(params):
    return {
        "supportedVersions": ["2026-07-28"],
        "capabilities": {"tools": {}, "extensions": {EXTENSION: {}}},
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "task-server", "version": "1"}},
    }


def list_tools(params):
    return {"tools": [{"name": "dig", "inputSchema": {"type": "object"}}], "ttlMs": 0, "cacheScope": "private"}


def call_tool(params):
    declared = params["_meta"].get("io.modelcontextprotocol/clientCapabilities", {})
    if EXTENSION not in declared.get("extensions", {}):
        raise Refusal(-32021, "Missing required client capability")
    arguments = params["arguments"]
    task = {"taskId": str(uuid.uuid4()), "status": "working", "statusMessage": "begun", "done": 0, "depth": None,
            "steps": arguments.get("steps", 3), "asks": arguments.get("ask", False)}
    tasks = load()
    tasks[task["taskId"]] = task
    save(tasks)
    return {**describe(task), "resultType": "task"}


def get_task(params):
    tasks = load()
    task = find(tasks, params)
    step(task)
    save(tasks)
    return describe(task)


def update_task(params):
    tasks = load()
    task = find(tasks, params)
    if task["status"] == "input_required":
        task["depth"] = params["inputResponses"]["depth"].get("content", {}).get("depth", 0)
        task["status"] = "working"
        save(tasks)
    return {}


def cancel_task(params):
    tasks = load()
    task = find(tasks, params)
    if task["status"] in ("working", "input_required"):
        task["status"] = "cancelled"
        save(tasks)
    return {}


METHODS = {
    "server/discover": discover,
    "tools/list": list_tools,
    "tools/call": call_tool,
    "tasks/get": get_task,
    "tasks/update": update_task,
    "tasks/cancel": cancel_task,
}

for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message or "method" not in message:
        continue
    answer = {"jsonrpc": "2.0", "id": message["id"]}
    try:
        if message["method"] not in METHODS:
            raise Refusal(-32601, "Method not found")
        answer["result"] = {"resultType": "complete", **METHODS[message["method"]](message.get("params", {}))}
    except Refusal as refusal:
        answer["error"] = dict(zip(("code", "message"), refusal.args))
    print(json.dumps(answer), flush=True)
