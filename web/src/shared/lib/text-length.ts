const warningShare = 0.95

/** Compares a text with its limit. Like the contract, both fields count UTF-16 units. */
export interface TextLength {
  length: number
  max: number
  /** Whether at most 5 % of the limit is left, or the limit is exceeded. */
  isNear: boolean
  /** The text has this many characters above the limit; 0 if it fits. */
  excess: number
}

/** Blanks around a text do not count, because the contract removes them. */
export function lengthOf(text: string, max: number): TextLength {
  const { length } = text.trim()
  return { length, max, isNear: length >= max * warningShare, excess: Math.max(0, length - max) }
}

export const inDigits = (count: number): string => new Intl.NumberFormat('en-US').format(count)
