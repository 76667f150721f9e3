#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later

import sys

import gi
gi.require_version('Gmcp', '1')
from gi.repository import Gio, Gmcp


async def main(config_file):
    provider = Gmcp.load_tool_providers('org.example.Host', config_file)[0]
    await provider.load_async()
    for tool in provider.get_tools():
        print(tool.get_name())
    print(await provider.call_tool_async('tasks__create_task', {'title': 'Water the plants'}))


Gmcp.run(main(Gio.File.new_for_commandline_arg(sys.argv[1]) if len(sys.argv) > 1 else None))
