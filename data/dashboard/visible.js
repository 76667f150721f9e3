// SPDX-License-Identifier: LGPL-2.1-or-later
// Texts of others such that nothing in them is hidden, as gmcp_dup_visible_text() of the library makes them: what cannot be
// seen, or changes how the rest is shown, becomes <U+202E> and the like.

// Marks on one letter, beyond which they would cover the lines above and below.
const MAX_MARKS = 4;
const ZERO_WIDTH_NON_JOINER = '\u200c';
const ZERO_WIDTH_JOINER = '\u200d';
const TEXT_STYLE = '\ufe0e';
const EMOJI_STYLE = '\ufe0f';
const KEYCAP = '\u20e3';

// Letters and symbols to Unicode that show nothing, or only a blank.
const BLANKS = String.raw`\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufffc\u{1d159}\u{e0000}-\u{e0fff}`;
// Format characters to Unicode that are drawn.
const DRAWN = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]/u;
const HIDDEN = new RegExp(String.raw`[\p{C}\p{Zl}\p{Zp}${BLANKS}]`, 'u');
const MARK = /\p{M}/u;
// What has none of these is shown as it is.
const UNUSUAL = new RegExp(String.raw`(?![\n\t])[\p{C}\p{M}\p{Zl}\p{Zp}${BLANKS}]`, 'u');
const PICTURE = /[\p{So}\u{1f3fb}-\u{1f3ff}]/u;
const MATH = /\p{Sm}/u;
// Scripts that are not written rightly without joiners between letters.
const JOINED = new RegExp(`[${['Arabic', 'Syriac', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada',
  'Malayalam', 'Sinhala'].map(script => String.raw`\p{Script=${script}}`).join('')}]`, 'u');
const LETTER = /[\p{L}\p{M}]/u;

const isHidden = char => HIDDEN.test(char) && !DRAWN.test(char);
const isJoinedLetter = char => JOINED.test(char) && LETTER.test(char);

// One that a script or a picture needs where it stands: never two in a row, so that nothing is written with them.
function isNeeded(before, char, next) {
  switch (char) {
    case TEXT_STYLE:
    case EMOJI_STYLE:
      return PICTURE.test(before) || MATH.test(before) || (char === EMOJI_STYLE && next === KEYCAP && before < '\x80');
    case ZERO_WIDTH_JOINER:
      return ((PICTURE.test(before) || before === EMOJI_STYLE) && PICTURE.test(next)) || (isJoinedLetter(before) && isJoinedLetter(next));
    case ZERO_WIDTH_NON_JOINER:
      return isJoinedLetter(before) && isJoinedLetter(next);
    default:
      return false;
  }
}

const codeOf = char => `<U+${char.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}>`;

export function visible(text) {
  if (!UNUSUAL.test(text))
    return text;
  const chars = [...text];
  let shown = '';
  // Empty at the start, and behind what is not drawn as it is.
  let before = '';
  let marks = 0;
  chars.forEach((char, i) => {
    const mark = MARK.test(char);
    const hidden = isHidden(char);
    if (char === '\n' || char === '\t') {
      shown += char;
      before = '';
      marks = 0;
    } else if (hidden ? !isNeeded(before, char, chars[i + 1] ?? '') : mark && (before === '' || ++marks > MAX_MARKS)) {
      shown += codeOf(char);
      before = '';
      marks = 0;
    } else {
      shown += char;
      before = char;
      marks = mark ? marks : 0;
    }
  });
  return shown;
}

// JSON that says the same, with what is hidden in its texts escaped, for where it is written on.
export const visibleJson = value => JSON.stringify(value, null, 2).replace(new RegExp(UNUSUAL, 'gu'), char =>
  MARK.test(char) && !HIDDEN.test(char) ? char : char.split('').map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''));
