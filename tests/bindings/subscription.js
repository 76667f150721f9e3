#!/usr/bin/env -S gjs -m
// SPDX-License-Identifier: LGPL-2.1-or-later
// Subscriptions, requests of one's own and their notifications: subscription.js SERVER [OPTION]

import Gio from 'gi://Gio';
import Gmcp from 'gi://Gmcp?version=1';
import Json from 'gi://Json?version=1.0';

import System from 'system';

Gio._promisify(Gmcp.Client.prototype, 'open_async');
Gio._promisify(Gmcp.Client.prototype, 'close_async');
Gio._promisify(Gmcp.Client.prototype, 'call_tool_json_async');
Gio._promisify(Gmcp.Client.prototype, 'send_request_async');
Gio._promisify(Gmcp.Subscription.prototype, 'open_async');

const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

function assert(condition, what) {
    if (!condition)
        throw new Error(what);
}

async function main() {
    const client = Gmcp.Client.new(Gmcp.StdioTransport.new(['/usr/bin/python3', ...ARGV]));
    await client.open_async(null);

    const subscription = new Gmcp.Subscription({
        client, lists: Gmcp.SubscriptionFlags.TOOLS, resource_uris: ['note://1', 'note://2'],
    });
    const updated = new Promise(resolve =>
        subscription.connect('resource-updated', (_, uri) => resolve(uri)));
    const touched = new Promise(resolve =>
        client.connect('notification', (_, method, params, text) => resolve([method, params, text])));
    await subscription.open_async(null);
    assert(subscription.is_complete(), 'all is acknowledged');
    assert(subscription.state === Gmcp.SubscriptionState.OPEN, 'it is open');
    assert(subscription.acknowledged_resource_uris.join() === 'note://1,note://2', 'both are named');

    await client.call_tool_json_async('touch', '{"uri": "note://2"}', null, null);
    assert(await updated === 'note://2', 'the change is told');
    const [method, params, text] = await touched;
    assert(method === 'notifications/x/touched', 'an unknown notification comes through');
    assert(params.get_object().get_string_member('uri') === 'note://2', 'its parameters too');
    assert(text === '{"uri": "note://2"}', 'as text as well');
    subscription.close();

    const options = new Gmcp.CallOptions();
    options.set_traceparent(PARENT);
    assert(options.traceparent === PARENT, 'it is a property');
    const answer = await client.send_request_async(
        'x/echo', Json.from_string('{"list": [1, 2]}'), options, null);
    const object = answer.get_object();
    assert(object.get_array_member('list').get_length() === 2, 'the request has its parameters');
    assert(object.get_object_member('_meta').get_string_member('traceparent') === PARENT, 'and metadata');
    client.send_notification('notifications/x/done', null);
    await client.close_async(null);
}

try {
    await main();
} catch (error) {
    logError(error);
    System.exit(1);
}
