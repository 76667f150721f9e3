# SPDX-License-Identifier: LGPL-2.1-or-later
"""D-Bus as bytes, for what no client sends: on a socket without a bus, or on a bus, calls of strings, of which many may be under way."""
import os
import re
import socket
import struct

CALL, RETURN, ERROR, SIGNAL = 1, 2, 3, 4
PATH, INTERFACE, MEMBER, ERROR_NAME, REPLY_SERIAL, DESTINATION, SIGNATURE = 1, 2, 3, 4, 5, 6, 8


def pad(data, size):
    return data + bytes(-len(data) % size)


def string(data, text):
    raw = text.encode() if isinstance(text, str) else text
    return pad(data, 4) + struct.pack('<I', len(raw)) + raw + b'\0'


def signature(text):
    return bytes([len(text)]) + text.encode() + b'\0'


def add_value(data, kind, value):
    if kind == 's':
        return string(data, value)
    if kind in 'bu':
        return pad(data, 4) + struct.pack('<I', int(value))
    # A dictionary of strings and booleans.
    head = pad(data, 4)
    entries = start = pad(head + bytes(4), 8)
    for key, item in (value or {}).items():
        one = 'b' if isinstance(item, bool) else 's'
        entries = add_value(string(pad(entries, 8), key) + signature(one), one, item)
    return head + struct.pack('<I', len(entries) - len(start)) + start[len(head) + 4:] + entries[len(start):]


def make_body(kinds, values):
    data = b''
    for kind, value in zip(re.findall(r'a\{sv\}|\w', kinds), values):
        data = add_value(data, kind, value)
    return data


class Wire:
    def __init__(self, path, destination=''):
        """The destination is a name on a bus."""
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(str(path))
        self.socket.sendall(b'\0AUTH EXTERNAL ' + str(os.geteuid()).encode().hex().encode() + b'\r\n')
        assert self.socket.recv(100).startswith(b'OK ')
        self.socket.sendall(b'BEGIN\r\n')
        self.serial = 0
        self.rest = b''
        self.destination = 'org.freedesktop.DBus' if destination else ''
        if destination:
            self.call('/org/freedesktop/DBus', 'org.freedesktop.DBus', 'Hello')
        self.destination = destination

    def close(self):
        self.socket.close()

    def send(self, path, interface, member, kinds='', *values):
        self.serial += 1
        fields = b''
        for code, kind, value in ((PATH, 'o', path), (INTERFACE, 's', interface), (MEMBER, 's', member),
                                  (DESTINATION, 's', self.destination), (SIGNATURE, 'g', kinds)):
            if not value:
                continue
            fields = pad(fields, 8) + bytes([code]) + signature(kind)
            fields = fields + signature(value) if kind == 'g' else string(fields, value)
        body = make_body(kinds, values)
        head = struct.pack('<cBBBIII', b'l', CALL, 0, 1, len(body), self.serial, len(fields)) + fields
        self.socket.sendall(pad(head, 8) + body)
        return self.serial

    def read(self, size):
        while len(self.rest) < size:
            more = self.socket.recv(1 << 20)
            if not more:
                raise EOFError
            self.rest += more
        data, self.rest = self.rest[:size], self.rest[size:]
        return data

    def receive(self):
        """The kind of the next message, what it answers, the name of an error, and its body."""
        head = self.read(16)
        _, kind, _, _, length, _, n_fields = struct.unpack('<cBBBIII', head)
        fields = self.read(n_fields + -n_fields % 8)
        body = self.read(length)
        match = re.search(rb'\x05\x01u\0(....)', fields, re.S)
        answers = struct.unpack('<I', match[1])[0] if match else None
        name = re.search(rb'\x04\x01s\0....([\w.]+)\0', fields, re.S)
        return kind, answers, name[1].decode() if name else None, body

    def call(self, *words):
        """The name of the error, or None, and the body."""
        serial = self.send(*words)
        while True:
            kind, answers, name, body = self.receive()
            if kind in (RETURN, ERROR) and answers == serial:
                return name, body
