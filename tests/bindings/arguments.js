#!/usr/bin/env -S gjs -m
// SPDX-License-Identifier: LGPL-2.1-or-later
// What a form or a command line is made of: the arguments of a tool, from GJS.

import Gmcp from 'gi://Gmcp?version=1';

function check(condition, what) {
    if (!condition)
        throw new Error(`not so: ${what}`);
}

const tool = Gmcp.Tool.new('paint', 'Paints.', JSON.stringify({
    type: 'object',
    properties: {
        colour: {enum: ['red', 'green'], default: 'red'},
        width: {type: 'number', minimum: 3},
        layers: {type: 'array', items: {type: 'string'}},
    },
    required: ['width'],
}));

const [width, colour, layers] = tool.list_arguments();
check(width.required && !width.list && width.typeText === 'number', 'a required number');
check(colour.choices.join() === 'red,green' && colour.defaultJson === '"red"', 'a choice with a default');
check(tool.dup_signature() === '(width: number, colour?: "red"|"green", layers?: string[])', 'the signature');
check(tool.dup_example_json() === '{"width":3}', 'the example');
check(layers.parse_texts(['a', 'b']) === '["a","b"]', 'several texts are a list');
check(tool.check_arguments_json('{"width":4}'), 'what fits');

let refused = null;
try {
    width.parse_text('x');
} catch (error) {
    refused = error;
}
check(refused?.matches(Gmcp.Error, Gmcp.Error.INVALID_ARGUMENT) && refused.message.includes('width'),
    `what does not fit: ${refused}`);
