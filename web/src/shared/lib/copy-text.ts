/**
 * Puts a text on the clipboard. If the browser refuses, the element that shows the text is selected, so that a person
 * can copy it by hand, and the promise resolves to false.
 */
export async function copyText(text: string, shown?: HTMLElement | null): Promise<boolean> {
  try {
    // A page without a secure connection has no clipboard at all.
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    if (shown) select(shown)
    return false
  }
}

function select(shown: HTMLElement): void {
  // The style may have disabled selection there because of a long press.
  shown.style.setProperty('-webkit-user-select', 'text')
  shown.style.setProperty('user-select', 'text')
  window.getSelection()?.selectAllChildren(shown)
}
