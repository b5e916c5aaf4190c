const inputMethodKeyCode = 229

/**
 * Returns whether a key belongs to an input method. The key code is compared as well, because Safari ends a composition
 * before it reports the Enter that ended it.
 */
export const isComposing = (event: KeyboardEvent): boolean =>
  event.isComposing || event.keyCode === inputMethodKeyCode
