#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later

import json
import sys

import gi
gi.require_version('Gmcp', '1')
from gi.repository import Gio, GLib, Gmcp


def on_call_requested(_provider, request):
    """A real host shows the arguments, and answers when somebody has."""
    print(f'{request.get_tool().get_name()} {request.get_arguments_json()}? ({request.get_rule()})')
    if json.loads(request.get_arguments_json())['b'] == 2:
        request.allow_once()
    else:
        request.decline()


async def main(config_file):
    provider = Gmcp.load_tool_providers('org.example.Host', config_file)[0]
    provider.props.ask_first = ['recipes.divide']
    provider.connect('call-requested', on_call_requested)
    await provider.load_async()

    print(await provider.call_tool_async('recipes__divide', {'a': 1, 'b': 2}))
    # recipes__divide {"a":1,"b":2}? (ask-first: recipes.divide)
    # 0.5
    try:
        await provider.call_tool_async('recipes__divide', {'a': 1, 'b': 3})
    except GLib.Error as error:
        print(error.matches(Gmcp.error_quark(), Gmcp.Error.NOT_PERMITTED))
    # recipes__divide {"a":1,"b":3}? (ask-first: recipes.divide)
    # True


Gmcp.run(main(Gio.File.new_for_commandline_arg(sys.argv[1])))
