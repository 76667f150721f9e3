#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Handlers that raise, stay silent, answer late or answer twice, in Python: each call ends, and nothing breaks."""

import sys

import gi
gi.require_version('Gmcp', '1')
from gi.repository import Gio, GLib, GObject, Gmcp

kept = []


def handle(call):
    name = call.get_name()
    kept.append(call)
    if name == 'raises':
        raise ValueError('a handler that raises')
    if name == 'twice':
        call.return_result(Gmcp.ToolResult.new_text('once'))
        call.return_result(Gmcp.ToolResult.new_text('twice'))
    if name == 'asks':
        call.pause_timeout()
        GLib.timeout_add(20, answer_question, call)


def answer_question(call):
    call.resume_timeout()
    call.return_result(Gmcp.ToolResult.new_text('yes'))
    return GLib.SOURCE_REMOVE


class BadProvider(GObject.Object, Gmcp.ToolProvider):
    def __init__(self):
        super().__init__()
        self.tools = Gio.ListStore(item_type=Gmcp.Tool)
        for name in 'raises', 'silent', 'twice', 'asks':
            self.tools.append(Gmcp.Tool.new_from_json(f'{{"name": "{name}"}}'))

    def do_get_tools(self):
        return self.tools

    def do_call_tool(self, call):
        handle(call)


def call(provider, name, timeout_ms=0, cancellable=None, meanwhile=None):
    loop = GLib.MainLoop()
    results = []

    def on_called(_provider, result):
        results.append(result)
        loop.quit()

    options = Gmcp.CallOptions(timeout_ms=timeout_ms)
    provider.call_tool_json_async(name, None, options, cancellable, on_called)
    if meanwhile is not None:
        meanwhile()
    while not results:
        loop.run()
    return provider.call_tool_json_finish(results[0]).dup_text()


def fails(domain, code, *arguments, **words):
    try:
        call(*arguments, **words)
    except GLib.Error as error:
        return error.matches(domain, code)
    return False


def check_provider(provider):
    for name in 'raises', 'silent':
        assert fails(Gmcp.error_quark(), Gmcp.Error.TIMED_OUT, provider, name, 1), name
        kept[-1].return_result(Gmcp.ToolResult.new_text('late'))
        kept[-1].return_error(GLib.Error('late'))

        cancellable = Gio.Cancellable()
        assert fails(Gio.io_error_quark(), Gio.IOErrorEnum.CANCELLED, provider, name,
                     cancellable=cancellable, meanwhile=cancellable.cancel), name

    assert call(provider, 'twice') == 'once'
    assert call(provider, 'asks', 10) == 'yes'


def main():
    check_provider(BadProvider())

    registry = Gmcp.ToolRegistry()
    registry.add_provider('bad', BadProvider())
    check_provider(registry)

    registry = Gmcp.ToolRegistry()
    for name in 'raises', 'silent', 'twice', 'asks':
        registry.add_function(name, None, None, handle)
    check_provider(registry)


if __name__ == '__main__':
    sys.exit(main())
