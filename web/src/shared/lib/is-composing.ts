const inputMethodKeyCode = 229

/** Whether a key belongs to an input method. Safari has ended the composition when it reports the Enter that ends it. */
export const isComposing = (event: KeyboardEvent): boolean =>
  event.isComposing || event.keyCode === inputMethodKeyCode
