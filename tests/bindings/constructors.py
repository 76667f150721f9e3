#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every public class is made with no property set, and used: none crashes, and none says that it is misused.

constructors.py [CLASS…]
"""
import gc
import os
import subprocess
import sys

import gi
gi.require_version('Gmcp', '1')
from gi.repository import Gio, GLib, GObject, Gmcp


def find_classes():
    for name in sorted(dir(Gmcp)):
        cls = getattr(Gmcp, name)
        if isinstance(cls, type) and hasattr(cls, '__gtype__') and cls.__gtype__.is_a(GObject.TYPE_OBJECT):
            yield name, cls


def attempt(function, *arguments):
    """A refusal is an answer."""
    try:
        return function(*arguments)
    except (GLib.Error, TypeError, NotImplementedError, UnicodeDecodeError):
        return None


def use(name):
    cls = getattr(Gmcp, name)
    if cls.__gtype__.is_abstract():
        class Derived(cls):
            __gtype_name__ = 'Derived' + name
        cls = Derived
    made = attempt(cls)
    if made is None:
        return
    for spec in cls.list_properties():
        if spec.flags & GObject.ParamFlags.READABLE:
            attempt(made.get_property, spec.name)
    for base in cls.__mro__:
        if base.__module__ != 'gi.repository.Gmcp':
            continue
        for method in sorted(vars(base)):
            if method.startswith(('get_', 'dup_', 'is_', 'list_', 'has_')) and not method.endswith(('_async', '_finish')):
                attempt(getattr(made, method))
    del made
    gc.collect()


class Empty(GObject.Object, Gmcp.ToolProvider, Gmcp.ResourceProvider, Gmcp.PromptProvider):
    """Lists what was made of nothing."""
    def __init__(self):
        super().__init__()
        self.lists = {}
        for cls in (Gmcp.Tool, Gmcp.Resource, Gmcp.Prompt):
            self.lists[cls] = Gio.ListStore(item_type=cls)
            self.lists[cls].append(cls())

    def do_get_tools(self):
        return self.lists[Gmcp.Tool]

    def do_get_resources(self):
        return self.lists[Gmcp.Resource]

    def do_get_prompts(self):
        return self.lists[Gmcp.Prompt]

    def do_call_tool(self, call):
        call.return_error(GLib.Error.new_literal(Gmcp.error_quark(), 'no', 0))


def list_empty():
    """Nobody who takes something without a name relies on one."""
    provider = Empty()
    assert attempt(provider.find_tool, 'a') is None
    attempt(provider.dup_tools_json, Gmcp.ToolsFormat.MCP if hasattr(Gmcp.ToolsFormat, 'MCP') else 0)
    registry = Gmcp.ToolRegistry()
    attempt(registry.add_provider, 'x', provider)
    assert attempt(registry.add_tool, Gmcp.Tool(), lambda call: None) is None
    server = Gmcp.Server.new('a', '1', None)
    assert attempt(server.add_tool, Gmcp.Tool(), lambda call: None) is None
    server = Gmcp.Server.new('a', '1', provider)
    ours, theirs = Gmcp.memory_transport_new_pair()
    server.attach(theirs)
    client = Gmcp.Client.new(ours)
    found = {}
    loop = GLib.MainLoop()

    def on_listed(client, result):
        found['prompts'] = client.list_prompts_finish(result)
        loop.quit()

    def on_opened(client, result):
        client.open_finish(result)
        client.list_prompts_async(None, on_listed)

    client.open_async(None, on_opened)
    loop.run()
    assert len(found['prompts']) == 0, found


def main():
    if len(sys.argv) > 1:
        for name in sys.argv[1:]:
            use(name)
        list_empty()
        return
    names = [name for name, _cls in find_classes()]
    assert len(names) > 40, names
    environment = dict(os.environ, G_DEBUG='fatal-warnings')
    # All in one program, which is quicker; one by one where that fails.
    if subprocess.run([sys.executable, __file__, *names], env=environment).returncode == 0:
        return
    failed = [name for name in names
              if subprocess.run([sys.executable, __file__, name], env=environment).returncode != 0]
    sys.exit(f'made of nothing, these fail: {", ".join(failed) or "all of them together"}')


if __name__ == '__main__':
    main()
