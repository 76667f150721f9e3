#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later

import sys

import gi
gi.require_version('Gmcp', '1')
from gi.repository import Gio, GLib, Gmcp


def on_called(provider, result):
    global done
    try:
        print(provider.call_tool_finish(result).dup_text())
        done = True
    finally:
        loop.quit()


def on_loaded(provider, result):
    try:
        provider.load_finish(result)
        for tool in provider.get_tools():
            print(tool.get_name())
        provider.call_tool_json_async('tasks__create_task', '{"title": "Water the plants"}', None, None, on_called)
    except:
        loop.quit()
        raise


done = False
loop = GLib.MainLoop()
config_file = Gio.File.new_for_commandline_arg(sys.argv[1]) if len(sys.argv) > 1 else None
provider = Gmcp.load_tool_providers('org.example.Host', config_file)[0]
provider.load_async(None, on_loaded)
loop.run()
sys.exit(not done)
