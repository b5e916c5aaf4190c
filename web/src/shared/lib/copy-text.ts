/**
 * Puts a text on the clipboard. Where the browser refuses, it selects the element that shows the text, so that a person
 * can copy it by hand, and resolves to false.
 */
export async function copyText(text: string, shown?: HTMLElement | null): Promise<boolean> {
  try {
    // Without a secure connection there is no clipboard at all.
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    if (shown) select(shown)
    return false
  }
}

function select(shown: HTMLElement): void {
  // A long press may mean something else there, so that the text cannot be selected otherwise.
  shown.style.setProperty('-webkit-user-select', 'text')
  shown.style.setProperty('user-select', 'text')
  window.getSelection()?.selectAllChildren(shown)
}
