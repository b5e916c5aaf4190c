const hex = (value, digits) => (value >>> 0).toString(16).padStart(digits, '0')

/**
 * Ids that the sender chooses, of one run: UUIDs that carry their number, so that every machine that meets a message
 * knows without being told which one it is.
 */
export function messageIds(run) {
  const middle = `-${run.slice(0, 4)}-4${run.slice(4, 7)}-8${run.slice(7, 10)}-${run.slice(10, 14)}`
  return {
    idOf: (number) => `${hex(number, 8)}${middle}${hex(Math.imul(number + 1, 0x9e3779b1), 8)}`,
    isOurs: (id) => id.slice(8, 28) === middle,
  }
}

/**
 * 30 bits of a message's id and place. Two lists of equal length are the same messages (as good as certain) when the
 * sums of their fingerprints are equal; 2²³ of them add up without rounding.
 */
export function fingerprint({ clientMessageId, seq }) {
  const number = parseInt(clientMessageId.slice(0, 8), 16)
  let mixed = Math.imul(number ^ Math.imul(seq, 0x85ebca6b), 0xc2b2ae35)
  mixed ^= mixed >>> 15
  return Math.imul(mixed, 0x27d4eb2f) >>> 2
}

/** 14 hexadecimal digits nobody had before. */
export const newRun = () =>
  hex(Math.floor(Math.random() * 2 ** 28), 7) + hex(Math.floor(Math.random() * 2 ** 28), 7)
