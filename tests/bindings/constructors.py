#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every public class is made with no property set, and used: none crashes, and none says that it is misused.

constructors.py [CLASS…]
"""
import gc
import itertools
import os
import subprocess
import sys

import gi
from gi import _gi
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


def list_async(info):
    """What starts something, with what ends it, of a class and all that it is, as the library has them."""
    while info is not None:
        for owner in (info, *info.get_interfaces()):
            methods = {method.__name__: method for method in owner.get_methods()} if owner.get_namespace() == 'Gmcp' else {}
            for name, method in sorted(methods.items()):
                if name.endswith('_async') and method.is_method():
                    yield name, method
        info = info.get_parent()


def list_choices(method, callback):
    """What each argument may be, where its type is not known from here."""
    given = method.get_arguments()
    closures = {argument.get_closure() for argument in given}
    for place, argument in enumerate(given):
        if place in closures or argument.get_name().startswith('n_'):
            continue
        if argument.get_scope() != _gi.ScopeType.INVALID:
            yield [callback]
        elif argument.may_be_null():
            yield [None]
        else:
            yield ['x', 0, [], Gmcp.Elicitation(), Gmcp.Manager(), Gmcp.Requirements(), Gmcp.ServerConfig(),
                   Gmcp.TaskHandle(), Gio.File.new_for_path('/nowhere')]


def start(made, name, method):
    """Each one that is started ends."""
    loop = GLib.MainLoop()
    for arguments in itertools.product(*list_choices(method, lambda *_: loop.quit())):
        try:
            method(made, *arguments)
        except TypeError:
            continue
        late = GLib.timeout_add_seconds(60, end_late, name)
        loop.run()
        GLib.source_remove(late)
        return
    sys.exit(f'{name} takes none of the arguments')


def end_late(name):
    print(f'{name} has no end', file=sys.stderr, flush=True)
    os._exit(1)


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
    for method_name, method in list_async(_gi.Repository.get_default().find_by_name('Gmcp', name)):
        # A server that is run is to run on.
        if not method_name.startswith('run_'):
            start(made, f'{name}.{method_name}', method)
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


def load_empty():
    """A manager is told that a source has nothing to read."""
    manager = Gmcp.Manager()
    manager.add_source(Gmcp.FileConfigSource())
    loop = GLib.MainLoop()
    failed = []

    def on_loaded(manager, result):
        try:
            manager.load_finish(result)
        except GLib.Error as error:
            failed.append(error)
        loop.quit()

    manager.load_async(None, on_loaded)
    loop.run()
    assert failed and failed[0].matches(Gmcp.error_quark(), Gmcp.Error.INVALID_ARGUMENT), failed


def main():
    if len(sys.argv) > 1:
        for name in sys.argv[1:]:
            use(name)
        list_empty()
        load_empty()
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
