/**
 * Matches a visible character, which is no space, control or format character, filler or variation selector. Of a
 * character above U+FFFF, the first half of its surrogate pair decides. The pattern has no flags, because JSON Schema
 * contains it as well.
 */
export const visibleCharacter =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- these are the characters that show nothing
  /(?!\ud834[\udd59\udd73-\udd7a]|\ud82f[\udca0-\udca3]|[\udb40-\udb43])[^\s\0-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\udc00-\udfff]/

/** Returns whether a text contains a visible character. */
export const hasText = (text: string): boolean => visibleCharacter.test(text)
