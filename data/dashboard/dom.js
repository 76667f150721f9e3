// SPDX-License-Identifier: LGPL-2.1-or-later
// Elements. Text becomes text: nothing in these files reads a text as markup. All text comes into the page here, with what is
// hidden in it made visible.

import {visible} from './visible.js';

const SVG = 'http://www.w3.org/2000/svg';

function append(element, child) {
  if (Array.isArray(child))
    child.forEach(one => append(element, one));
  else if (child !== null && child !== undefined && child !== false)
    element.append(typeof child === 'object' ? child : visible(String(child)));
}

// Attributes that people read, or hear.
const TEXTS = new Set(['alt', 'aria-label', 'placeholder', 'title']);
const valueOf = (name, value) => TEXTS.has(name) ? visible(String(value)) : String(value);

function set(element, name, value) {
  if (name.startsWith('on'))
    element.addEventListener(name.slice(2), value);
  else if (value === true)
    element.setAttribute(name, '');
  else if (value !== false && value !== null && value !== undefined)
    element.setAttribute(name, valueOf(name, value));
}

// el('button', {class: 'flat', onclick: f}, 'Start')
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  Object.entries(attributes).forEach(([name, value]) => set(element, name, value));
  append(element, children);
  return element;
}

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  Object.entries(attributes).forEach(([name, value]) => set(element, name, value));
  append(element, children);
  return element;
}

// Writes only what differs, so that a screen reader is not told twice and a selection stays.
export function setText(element, text) {
  const shown = visible(String(text ?? ''));
  if (element.textContent !== shown)
    element.textContent = shown;
}

export function setAttribute(element, name, value) {
  if (value === null || value === undefined || value === false)
    element.removeAttribute(name);
  else if (element.getAttribute(name) !== valueOf(name, value))
    element.setAttribute(name, value === true ? '' : valueOf(name, value));
}

let lastId = 0;
export const newId = prefix => `${prefix}-${++lastId}`;

// Keeps an element for each item, in the order of the items. What is there already stays where it is, with its focus.
export class KeyedList {
  constructor(parent, key, make, update) {
    Object.assign(this, {parent, key, make, update, entries: new Map()});
  }

  // What has gone goes first, so that nothing that stays has to be moved around it.
  show(items) {
    const shown = new Map(items.map(item => [this.key(item), item]));
    for (const [key, entry] of this.entries) {
      if (shown.has(key))
        continue;
      this.entries.delete(key);
      entry.element.remove();
    }
    let before = this.parent.firstElementChild;
    for (const [key, item] of shown) {
      let entry = this.entries.get(key);
      if (!entry) {
        entry = this.make(item);
        this.entries.set(key, entry);
      }
      this.update(entry, item);
      if (entry.element === before)
        before = before.nextElementSibling;
      else
        this.parent.insertBefore(entry.element, before);
    }
  }
}

const announcer = () => document.getElementById('announcer');

// Tells a screen reader what has happened elsewhere on the page.
export function announce(text) {
  const element = announcer();
  element.textContent = '';
  requestAnimationFrame(() => setText(element, text));
}

const PATHS = {
  start: 'M4.5 2.5v11l9-5.5z',
  stop: 'M3.5 3.5h9v9h-9z',
  restart: 'M13 3v4H9M12.6 7A5 5 0 1 0 13 9.5',
  check: 'M2 8h3l2-4.5 2.5 9L12 8h2',
  down: 'M4 6l4 4 4-4',
  good: 'M3.5 8.5l3 3 6-7',
  bad: 'M4 4l8 8M12 4l-8 8',
  busy: 'M8 2.5a5.5 5.5 0 1 1-5.5 5.5',
  idle: 'M4 8h8',
  hand: 'M5 8V4.5a1 1 0 0 1 2 0V8M7 7.5v-4a1 1 0 0 1 2 0v4M9 7.5V4a1 1 0 0 1 2 0v5a4.5 4.5 0 0 1-4 4.5A4 4 0 0 1 4 11.5L2.5 9a1 1 0 0 1 1.6-1.2L5 9',
  warn: 'M8 2.5l6 11H2zM8 6.5v3.5M8 11.9v.1',
};

// A symbol beside a text that says the same.
export function icon(name) {
  const fills = name === 'start' || name === 'stop';
  return svg('svg', {class: fills ? 'icon filled' : 'icon', viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true', 'data-icon': name},
    svg('path', {d: PATHS[name]}));
}

export function setIcon(holder, name) {
  if (holder.firstElementChild?.dataset.icon !== name)
    holder.replaceChildren(icon(name));
}
