#!/usr/bin/env -S gjs -m
// SPDX-License-Identifier: LGPL-2.1-or-later
// Every public class is made with no property set, and used: none crashes, and none says that it is misused.

import GObject from 'gi://GObject';
import Gmcp from 'gi://Gmcp?version=1';

// A refusal is an answer.
function attempt(callback) {
    try {
        return callback();
    } catch (error) {
        return null;
    }
}

let nMade = 0;
for (const name of Object.getOwnPropertyNames(Gmcp)) {
    const type = Gmcp[name];
    if (typeof type !== 'function' || !(type.prototype instanceof GObject.Object))
        continue;
    const made = attempt(() => new type());
    if (!made)
        continue;

    nMade++;
    for (const spec of GObject.Object.list_properties.call(type)) {
        if (spec.flags & GObject.ParamFlags.READABLE)
            attempt(() => made[spec.get_name()]);
    }
    for (let owner = type; owner !== GObject.Object; owner = Object.getPrototypeOf(owner)) {
        for (const member of Object.getOwnPropertyNames(owner.prototype)) {
            if (/^(get|dup|is|list|has)_/.test(member) && !/_(async|finish)$/.test(member))
                attempt(() => made[member]());
        }
    }
}
if (nMade < 40)
    throw new Error(`only ${nMade} classes were made`);
