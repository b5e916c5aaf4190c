const longestMs = 5000
const clickWithinMs = 300

/** Tracks whether a finger or a mouse presses this page. */
export function createHands() {
  let isDown = false
  let lifted: number | undefined

  const onDown = () => {
    window.clearTimeout(lifted)
    isDown = true
  }
  const onUp = () => {
    window.clearTimeout(lifted)
    // The click of a touch comes shortly after the finger is lifted, and the press lasts until then.
    lifted = window.setTimeout(() => (isDown = false), clickWithinMs)
  }
  const onClick = () => {
    window.clearTimeout(lifted)
    isDown = false
  }
  return {
    /** Follows pointers until the returned function is called. */
    watch: (): (() => void) => {
      const events = { pointerdown: onDown, pointerup: onUp, pointercancel: onUp, click: onClick }
      const entries = Object.entries(events)
      for (const [name, listener] of entries) window.addEventListener(name, listener, true)
      return () => {
        // A pointer that is no longer followed must not delay the next page.
        isDown = false
        for (const [name, listener] of entries) window.removeEventListener(name, listener, true)
      }
    },
    /**
     * Resolves when nothing is pressed, no dialog is open and `isTyping` is false, or after five seconds. A calculator
     * that is replaced at such a moment loses neither a tap nor a menu.
     */
    atRest: async (isTyping = () => false): Promise<void> => {
      const until = performance.now() + longestMs
      const isBusy = () => isDown || isTyping() || document.querySelector('dialog[open]') !== null
      while (isBusy() && performance.now() < until)
        await new Promise((resolve) => window.setTimeout(resolve, 20))
    },
  }
}

export type Hands = ReturnType<typeof createHands>
