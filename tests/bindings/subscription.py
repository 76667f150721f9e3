#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Subscriptions, requests of one's own and their notifications: subscription.py SERVER [OPTION]"""

import json
import sys

import gi
gi.require_version('Gmcp', '1')
from gi.repository import GLib, Gmcp

PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

told = []
loop = GLib.MainLoop()


def run(function, finish, *arguments):
    """Waits for an asynchronous function."""
    results = []
    function(*arguments, lambda source, result: results.append(result))
    while not results:
        loop.get_context().iteration(True)
    return finish(results[0])


def wait_told(what):
    while what not in told:
        loop.get_context().iteration(True)


def main():
    client = Gmcp.Client.new(Gmcp.StdioTransport.new(['/usr/bin/python3', *sys.argv[1:]]))
    client.connect('notification', lambda _, method, params, text: told.append((method, text)))
    assert run(client.open_async, client.open_finish, None)

    subscription = Gmcp.Subscription.new(client, Gmcp.SubscriptionFlags.TOOLS | Gmcp.SubscriptionFlags.PROMPTS,
                                         ['note://1'], None)
    subscription.connect('resource-updated', lambda _, uri: told.append(uri))
    assert run(subscription.open_async, subscription.open_finish, None)
    assert subscription.get_state() == Gmcp.SubscriptionState.OPEN
    assert subscription.props.acknowledged_lists == Gmcp.SubscriptionFlags.TOOLS
    assert subscription.get_acknowledged_resource_uris() == ['note://1']
    assert not subscription.is_complete()

    run(client.call_tool_json_async, client.call_tool_json_finish, 'touch', '{"uri": "note://1"}', None, None)
    wait_told('note://1')
    wait_told(('notifications/x/touched', '{"uri": "note://1"}'))
    subscription.close()
    assert subscription.get_state() == Gmcp.SubscriptionState.CLOSED

    options = Gmcp.CallOptions.new()
    assert options.set_traceparent(PARENT)
    try:
        options.set_traceparent('none')
        assert False
    except GLib.Error as error:
        assert error.matches(Gmcp.error_quark(), Gmcp.Error.INVALID_ARGUMENT)
    text = run(client.send_request_json_async, client.send_request_json_finish, 'x/echo', '{"n": 1}', options, None)
    echoed = json.loads(text)
    assert echoed['n'] == 1 and echoed['_meta']['traceparent'] == PARENT
    assert client.send_notification_json('notifications/x/done', None)

    try:
        run(client.send_request_async, client.send_request_finish, 'x/unknown', None, None, None)
        assert False
    except GLib.Error as error:
        assert error.matches(Gmcp.rpc_error_quark(), Gmcp.RpcError.METHOD_NOT_FOUND)
    run(client.close_async, client.close_finish, None)


main()
