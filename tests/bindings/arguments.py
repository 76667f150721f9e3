#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a form or a command line is made of: the arguments of a tool, from Python."""

import json

import gi
gi.require_version('Gmcp', '1')
from gi.repository import GLib, Gmcp  # noqa: E402

tool = Gmcp.Tool.new('paint', 'Paints.', json.dumps({
    'type': 'object',
    'properties': {
        'colour': {'enum': ['red', 'green'], 'default': 'red', 'description': 'what it looks like'},
        'width': {'type': 'number', 'minimum': 3},
        'layers': {'type': 'array', 'items': {'type': 'string'}},
    },
    'required': ['width'],
}))

arguments = tool.list_arguments()
assert [argument.props.name for argument in arguments] == ['width', 'colour', 'layers']
width, colour, layers = arguments
assert width.props.required and not width.props.list and width.props.type_text == 'number'
assert list(colour.props.choices) == ['red', 'green'] and colour.props.default_json == '"red"'
assert colour.props.description == 'what it looks like' and colour.props.title is None
assert json.loads(width.props.example_json) == 3
assert width.props.choices is None or list(width.props.choices) == []
assert tool.dup_signature() == '(width: number, colour?: "red"|"green", layers?: string[])'
assert json.loads(tool.dup_example_json()) == {'width': 3}
assert tool.takes_argument('width') and not tool.takes_argument('height')

assert width.parse_text('4') == '4'
assert json.loads(layers.parse_texts(['a', 'b'])) == ['a', 'b']
for refused in (lambda: width.parse_text('x'), lambda: tool.check_arguments_json('{"width": 1}')):
    try:
        refused()
        raise AssertionError('that does not fit')
    except GLib.Error as error:
        assert error.matches(Gmcp.error_quark(), Gmcp.Error.INVALID_ARGUMENT) and 'width' in error.message, error
assert tool.check_arguments_json('{"width": 4}')

# An argument keeps what it needs.
del tool, arguments
assert width.props.type_text == 'number' and width.dup_schema_json() == '{"type": "number", "minimum": 3}'
