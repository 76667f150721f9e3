// SPDX-License-Identifier: LGPL-2.1-or-later
// What a tool has answered: texts, images, tables. All of it is a server's, so none of it is markup or a link.

import {el} from './dom.js';
import {formatBytes, formatCount} from './formats.js';
import {t} from './texts.js';

const IMAGES = /^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml)$/;
const BASE64 = /^[A-Za-z0-9+/=\s]*$/;
const MAX_ROWS = 200;
const MAX_COLUMNS = 50;
const MAX_CELLS = 10_000;
const MAX_DEPTH = 3;
const MAX_BLOCKS = 200;
const MAX_TEXT = 1024 * 1024;

const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value);
const isRows = value => Array.isArray(value) && value.length > 0 && value.every(isObject);
const isFlat = value => typeof value !== 'object' || value === null;

// The end of a very long text is left out, which is said.
function showText(className, text) {
  if (text.length <= MAX_TEXT)
    return el('pre', {class: className, tabindex: 0}, text);
  const shown = text.slice(0, MAX_TEXT);
  return el('pre', {class: className, tabindex: 0}, shown, '\n', el('span', {class: 'cut'}, t('text-cut', formatCount(text.length - shown.length))));
}

export const json = value => showText('code', JSON.stringify(value, null, 2) ?? '');

const showRest = (all, limit) => all.length > limit ? el('p', {class: 'dim cut'}, t('list-cut', formatCount(all.length - limit))) : null;

const scrolled = (label, table) => el('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label}, table);

const columnsOf = rows => [...new Set(rows.slice(0, MAX_ROWS).flatMap(Object.keys))];
const isTable = (value, depth) => depth < MAX_DEPTH && isRows(value);
const isMembers = (value, depth) => depth < MAX_DEPTH && isObject(value) && Object.keys(value).length > 0;

// Of the tables that a value is shown as; infinitely many where one is too wide.
function countCells(value, depth) {
  const sum = values => values.slice(0, MAX_ROWS).reduce((n, one) => n + countCells(one, depth + 1), 0);
  if (isMembers(value, depth))
    return 2 * Math.min(Object.keys(value).length, MAX_ROWS) + sum(Object.values(value));
  if (!isTable(value, depth))
    return 0;
  const rows = value.slice(0, MAX_ROWS);
  const width = columnsOf(rows).length;
  return width > MAX_COLUMNS ? Infinity : rows.reduce((n, row) => n + sum(Object.values(row)), width * (rows.length + 1));
}

function showRows(rows, depth) {
  const columns = columnsOf(rows);
  return [el('table', {},
    el('thead', {}, el('tr', {}, columns.map(column => el('th', {scope: 'col'}, column)))),
    el('tbody', {}, rows.slice(0, MAX_ROWS).map(row =>
      el('tr', {}, columns.map(column => el('td', {}, Object.hasOwn(row, column) ? showValue(row[column], depth + 1) : null)))))),
  showRest(rows, MAX_ROWS)];
}

function showMembers(object, depth) {
  const members = Object.entries(object);
  return [el('table', {class: depth > 0 ? 'inner' : ''},
    depth > 0 ? null : el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, t('key')), el('th', {scope: 'col'}, t('value')))),
    el('tbody', {}, members.slice(0, MAX_ROWS).map(([name, value]) =>
      el('tr', {}, el('th', {scope: 'row'}, name), el('td', {}, showValue(value, depth + 1)))))),
  showRest(members, MAX_ROWS)];
}

function showValue(value, depth) {
  if (isFlat(value))
    return typeof value === 'string' ? value : JSON.stringify(value);
  if (isTable(value, depth))
    return showRows(value, depth);
  if (isMembers(value, depth))
    return showMembers(value, depth);
  if (Array.isArray(value) && value.every(isFlat))
    return value.map(one => typeof one === 'string' ? one : JSON.stringify(one)).join(', ');
  return JSON.stringify(value);
}

// text: the value as JSON.
function showStructured(value, text) {
  const names = isObject(value) ? Object.keys(value) : [];
  // A list in an envelope, as results of searches are.
  const isEnvelope = names.length === 1 && isRows(value[names[0]]);
  const inner = isEnvelope ? value[names[0]] : value;
  if (text.length > MAX_TEXT || countCells(inner, 0) > MAX_CELLS || !(isTable(inner, 0) || isMembers(inner, 0)))
    return json(value);
  return scrolled(isEnvelope ? names[0] : t('result-structured'), showValue(inner, 0));
}

const sizeOf = data => formatBytes(Math.floor(String(data ?? '').length * 3 / 4));

function showImage(block, server) {
  if (!IMAGES.test(block.mimeType) || typeof block.data !== 'string' || !BASE64.test(block.data))
    return el('p', {class: 'dim'}, t('result-media', block.mimeType ?? 'image', sizeOf(block.data)));
  return el('img', {class: 'result-image', src: `data:${block.mimeType};base64,${block.data.replace(/\s/g, '')}`, alt: t('result-image', server)});
}

function showResource(resource, server) {
  const head = el('p', {class: 'dim'}, [resource?.uri, resource?.mimeType].filter(Boolean).join(' – '));
  if (typeof resource?.text === 'string')
    return [head, showText('', resource.text)];
  if (IMAGES.test(resource?.mimeType))
    return [head, showImage({mimeType: resource.mimeType, data: resource.blob}, server)];
  return [head, el('p', {class: 'dim'}, sizeOf(resource?.blob))];
}

function showBlock(block, server) {
  switch (block?.type) {
    case 'text': return showText('', String(block.text ?? ''));
    case 'image': return showImage(block, server);
    case 'audio': return el('p', {class: 'dim'}, t('result-media', block.mimeType ?? 'audio', sizeOf(block.data)));
    case 'resource': return showResource(block.resource, server);
    case 'resource_link': return [el('p', {}, t('result-link'), ': ', el('b', {}, block.title || block.name || '')),
      el('p', {class: 'dim mono'}, String(block.uri ?? '')), block.description ? el('p', {class: 'dim'}, block.description) : null];
    default: return json(block);
  }
}

export function showResult(result, server) {
  const blocks = Array.isArray(result?.content) ? result.content : [];
  const hasStructured = result?.structuredContent !== undefined;
  const structured = JSON.stringify(result?.structuredContent);
  const isCopy = block => {
    try {
      return block?.type === 'text' && JSON.stringify(JSON.parse(block.text)) === structured;
    } catch {
      return false;
    }
  };
  const shown = hasStructured ? blocks.filter(block => !isCopy(block)) : blocks;
  return el('div', {class: 'result-content'},
    result?.isError ? el('p', {class: 'bad-text'}, t('result-failed')) : null,
    hasStructured ? [el('h5', {}, t('result-structured')), showStructured(result.structuredContent, structured)] : null,
    shown.slice(0, MAX_BLOCKS).map(block => el('div', {class: 'result-block'}, showBlock(block, server))), showRest(shown, MAX_BLOCKS),
    !hasStructured && blocks.length === 0 ? el('p', {class: 'dim'}, t('result-empty')) : null,
    el('details', {}, el('summary', {}, t('result-raw')), json(result)));
}
