// SPDX-License-Identifier: LGPL-2.1-or-later
// What a tool has answered: texts, images, tables. All of it is a server's, so none of it is markup or a link.

import {el} from './dom.js';
import {formatBytes} from './formats.js';
import {t} from './texts.js';

const IMAGES = /^image\/(png|jpeg|gif|webp|avif|bmp|svg\+xml)$/;
const BASE64 = /^[A-Za-z0-9+/=\s]*$/;
const MAX_ROWS = 200;
const MAX_DEPTH = 3;

const isObject = value => typeof value === 'object' && value !== null && !Array.isArray(value);
const isRows = value => Array.isArray(value) && value.length > 0 && value.every(isObject);
const isFlat = value => typeof value !== 'object' || value === null;

export const json = value => el('pre', {class: 'code', tabindex: 0}, JSON.stringify(value, null, 2));

const scrolled = (label, table) => el('div', {class: 'scroll', tabindex: 0, role: 'region', 'aria-label': label}, table);

function showRows(rows) {
  const columns = [...new Set(rows.slice(0, MAX_ROWS).flatMap(Object.keys))];
  return el('table', {},
    el('thead', {}, el('tr', {}, columns.map(column => el('th', {scope: 'col'}, column)))),
    el('tbody', {}, rows.slice(0, MAX_ROWS).map(row =>
      el('tr', {}, columns.map(column => el('td', {}, Object.hasOwn(row, column) ? showValue(row[column], 1) : null))))));
}

function showMembers(object, depth) {
  return el('table', {class: depth > 0 ? 'inner' : ''},
    depth > 0 ? null : el('thead', {}, el('tr', {}, el('th', {scope: 'col'}, t('key')), el('th', {scope: 'col'}, t('value')))),
    el('tbody', {}, Object.entries(object).slice(0, MAX_ROWS).map(([name, value]) =>
      el('tr', {}, el('th', {scope: 'row'}, name), el('td', {}, showValue(value, depth + 1))))));
}

function showValue(value, depth) {
  if (isFlat(value))
    return typeof value === 'string' ? value : JSON.stringify(value);
  if (depth < MAX_DEPTH && isRows(value))
    return showRows(value);
  if (depth < MAX_DEPTH && isObject(value) && Object.keys(value).length > 0)
    return showMembers(value, depth);
  if (Array.isArray(value) && value.every(isFlat))
    return value.map(one => typeof one === 'string' ? one : JSON.stringify(one)).join(', ');
  return JSON.stringify(value);
}

export function showStructured(value) {
  if (isRows(value))
    return scrolled(t('result-structured'), showRows(value));
  if (isObject(value)) {
    const names = Object.keys(value);
    // A list in an envelope, as results of searches are.
    if (names.length === 1 && isRows(value[names[0]]))
      return scrolled(names[0], showRows(value[names[0]]));
    if (names.length > 0)
      return scrolled(t('result-structured'), showMembers(value, 0));
  }
  return json(value);
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
    return [head, el('pre', {tabindex: 0}, resource.text)];
  if (IMAGES.test(resource?.mimeType))
    return [head, showImage({mimeType: resource.mimeType, data: resource.blob}, server)];
  return [head, el('p', {class: 'dim'}, sizeOf(resource?.blob))];
}

function showBlock(block, server) {
  switch (block?.type) {
    case 'text': return el('pre', {tabindex: 0}, String(block.text ?? ''));
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
  const isCopy = block => {
    try {
      return block?.type === 'text' && JSON.stringify(JSON.parse(block.text)) === JSON.stringify(result.structuredContent);
    } catch {
      return false;
    }
  };
  const shown = hasStructured ? blocks.filter(block => !isCopy(block)) : blocks;
  return el('div', {class: 'result-content'},
    result?.isError ? el('p', {class: 'bad-text'}, t('result-failed')) : null,
    hasStructured ? [el('h5', {}, t('result-structured')), showStructured(result.structuredContent)] : null,
    shown.map(block => el('div', {class: 'result-block'}, showBlock(block, server))),
    !hasStructured && blocks.length === 0 ? el('p', {class: 'dim'}, t('result-empty')) : null,
    el('details', {}, el('summary', {}, t('result-raw')), json(result)));
}
