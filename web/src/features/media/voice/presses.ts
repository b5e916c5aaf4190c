/** The second tap of a double tap comes within this time, and this near. */
const doubleTapMs = 300
const nearPx = 48

/** Follows the presses of the page until `end`. */
export function followPresses() {
  let former: PointerEvent | undefined
  let present: PointerEvent | undefined
  const follow = (event: PointerEvent) => {
    former = present
    present = event
  }
  window.addEventListener('pointerdown', follow, true)
  return {
    /**
     * Returns whether the present press is the second tap of a double tap. Its first one may have hit what stood here
     * before, such as another button or a dialog.
     */
    isSecondTap(): boolean {
      if (!former || !present || present.timeStamp > former.timeStamp + doubleTapMs) return false
      return Math.hypot(present.clientX - former.clientX, present.clientY - former.clientY) < nearPx
    },
    end: (): void => window.removeEventListener('pointerdown', follow, true),
  }
}

export type Presses = ReturnType<typeof followPresses>
