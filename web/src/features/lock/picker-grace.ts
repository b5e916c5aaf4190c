/** The page may be hidden for this time (ms) behind a file picker or camera that it has opened itself. */
export const pickerGraceMs = 10 * 60_000

/**
 * The click that opens a file picker lets the page be hidden once without the usual short limit; any other way of
 * leaving the page cancels this.
 */
export function createPickerGrace() {
  let armedAt: number | undefined
  return {
    arm: (): void => {
      armedAt = Date.now()
    },
    /** Is called when the picker has returned or the page is visible again. */
    end: (): void => {
      armedAt = undefined
    },
    isArmed: (): boolean => armedAt !== undefined && Math.abs(Date.now() - armedAt) < pickerGraceMs,
  }
}

export type PickerGrace = ReturnType<typeof createPickerGrace>
