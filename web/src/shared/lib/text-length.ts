const warningShare = 0.95

/** How a text stands to its limit, both in characters as the contract counts them: UTF-16 units. */
export interface TextLength {
  length: number
  max: number
  /** The rest is small, or the limit exceeded. */
  isNear: boolean
  /** By how many characters the text is too long; 0 when it is not. */
  excess: number
}

/** Blanks around a text do not count: the contract removes them. */
export function lengthOf(text: string, max: number): TextLength {
  const { length } = text.trim()
  return { length, max, isNear: length >= max * warningShare, excess: Math.max(0, length - max) }
}

export const inDigits = (count: number): string => new Intl.NumberFormat('en-US').format(count)
