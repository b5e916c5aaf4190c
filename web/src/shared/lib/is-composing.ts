const inputMethodKeyCode = 229

/** Whether a key belongs to an input method. Safari ends the composition before it reports the Enter that ended it. */
export const isComposing = (event: KeyboardEvent): boolean =>
  event.isComposing || event.keyCode === inputMethodKeyCode
