#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later

import json
import sys

import gi
gi.require_version('Gmcp', '1')
from gi.repository import Gio, Gmcp

registry = Gmcp.ToolRegistry()


@registry.tool
def add_up(numbers: list[int]):
    """Adds numbers up."""
    return str(sum(numbers))


@registry.tool
async def average(numbers: list[int]):
    """The mean of some numbers. What it raises is the tool's error."""
    total = await registry.call_tool_async('add_up', {'numbers': numbers})
    return str(int(str(total)) / len(numbers))


async def main(config_file):
    # One list, of the host's own tools and those of the servers.
    registry.add_provider('servers', Gmcp.load_tool_providers('org.example.Host', config_file)[0])
    await registry.load_async()
    print([tool.get_name() for tool in registry.get_tools()][:3])  # ['add_up', 'average', 'recipes__divide']
    print(await registry.call_tool_async('average', {'numbers': [1, 2, 6]}))  # 3.0
    print(await registry.call_tool_async('average', {'numbers': []}))  # MCP error: ZeroDivisionError: division by zero
    for tool in json.loads(registry.dup_tools_json(Gmcp.ToolsFormat.OPENAI))[:1]:
        print(tool['function']['name'], tool['function']['parameters']['required'])  # add_up ['numbers']


Gmcp.run(main(Gio.File.new_for_commandline_arg(sys.argv[1])))
