#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""A host of two servers: host-of-two.py FILE"""
import json
import sys

import gi
gi.require_version('Gmcp', '1')
from gi.repository import Gio, GLib, Gmcp


def on_call_requested(_provider, permission):
    print(f'call {permission.get_tool().get_name()}? ({permission.get_rule()})')
    GLib.idle_add(permission.allow_once)


def on_input_requested(_provider, question):
    print(f'{question.get_server_name()} asks: {question.get_message()}')
    # The user takes a moment.
    GLib.idle_add(answer, question)


def answer(question):
    if 'Ada' not in question.get_message():
        question.decline()
        return
    try:
        question.accept_json('{"day": "Friday"}')
    except GLib.Error as error:
        assert error.matches(Gmcp.error_quark(), Gmcp.Error.INVALID_ARGUMENT)
        print('not a day to choose')
    question.accept_json('{"day": "Monday"}')


def print_progress(progress, total, message):
    print(f'{progress:g} of {total:g}: {message}')


async def main(config_file):
    provider = Gmcp.load_tool_providers('org.example.Host', config_file)[0]
    provider.props.ask_first = ['tasks.create_task']
    provider.connect('call-requested', on_call_requested)
    provider.connect('input-requested', on_input_requested)
    await provider.load_async()
    print(f'{provider.get_tools().get_n_items()} tools')

    result = await provider.call_tool_async('tasks__create_task', {'title': 'Water the plants'})
    print('failed' if result.is_error() else 'created')

    print(await provider.call_tool_async('recipes__count', {'to': 2}, progress=print_progress))

    try:
        await provider.call_tool_async('recipes__refuse')
    except Gmcp.RpcException as error:
        print(error.code, error.message, json.dumps(error.data))

    try:
        await provider.call_tool_async('recipes__hang', timeout_ms=200)
    except GLib.Error as error:
        assert error.matches(Gmcp.error_quark(), Gmcp.Error.TIMED_OUT)
        print('no answer in time')

    cancellable = Gio.Cancellable()

    def on_begun(_progress, _total, message):
        print(message)
        cancellable.cancel()

    try:
        await provider.call_tool_async('recipes__hang', cancellable=cancellable, progress=on_begun)
    except GLib.Error as error:
        assert error.matches(Gio.io_error_quark(), Gio.IOErrorEnum.CANCELLED)
        print('cancelled')

    for guest in 'Ada', 'Bob':
        print(await provider.call_tool_async('recipes__reserve', {'guest': guest}))


Gmcp.run(main(Gio.File.new_for_commandline_arg(sys.argv[1])))
