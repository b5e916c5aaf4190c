/** A reaction has at most this many bytes in UTF-8, so that sealed ones all have the same size. */
export const reactionMaxBytes = 36

/** Returns whether a text can be a reaction: one character as a reader sees it, whatever it consists of. */
export const isOneCharacter = (text: string): boolean =>
  new TextEncoder().encode(text).length <= reactionMaxBytes &&
  [...new Intl.Segmenter().segment(text)].length === 1
