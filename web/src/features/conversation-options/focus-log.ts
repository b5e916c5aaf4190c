/** Gives the focus to the list of messages. */
export const focusLog = (): void =>
  document.querySelector<HTMLElement>('[role=log]')?.focus({ preventScroll: true })

/** Is the ref of an element that gives its focus to the list of messages when it leaves. */
export const leavesFocusToLog = (element: HTMLElement | null) => () => {
  if (document.activeElement === element) focusLog()
}
