// SPDX-License-Identifier: LGPL-2.1-or-later
// Numbers and times as people of the language write them.

import {locale} from './texts.js';

const numbers = new Intl.NumberFormat(locale, {maximumFractionDigits: 1});
const small = new Intl.NumberFormat(locale, {maximumSignificantDigits: 2});
const whole = new Intl.NumberFormat(locale, {maximumFractionDigits: 0});
const times = new Intl.DateTimeFormat(locale, {dateStyle: 'medium', timeStyle: 'medium'});
const clocks = new Intl.DateTimeFormat(locale, {timeStyle: 'medium'});

export const formatCount = number => whole.format(number);

export function formatBytes(bytes) {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  for (; bytes >= 1000 && unit < units.length - 1; unit++)
    bytes /= 1000;
  return `${(bytes >= 100 ? whole : numbers).format(bytes)} ${units[unit]}`;
}

export function formatMs(ms) {
  if (ms > 0 && ms < 1)
    return `${small.format(ms)} ms`;
  return ms >= 10000 ? `${numbers.format(ms / 1000)} s` : `${(ms >= 100 ? whole : numbers).format(ms)} ms`;
}

export function formatSeconds(seconds) {
  const days = Math.floor(seconds / 86400);
  const hours = Math.floor(seconds / 3600) % 24;
  const minutes = Math.floor(seconds / 60) % 60;
  if (days > 0)
    return `${days} d ${hours} h`;
  if (hours > 0)
    return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${Math.floor(seconds) % 60} s` : `${Math.floor(seconds)} s`;
}

const parsed = text => {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? null : date;
};

export const formatTime = text => parsed(text) ? times.format(parsed(text)) : text || '';
export const formatClock = text => parsed(text) ? clocks.format(parsed(text)) : text || '';
