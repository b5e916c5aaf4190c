const hex = (value, digits) => (value >>> 0).toString(16).padStart(digits, '0')

/**
 * Client message ids of one run: UUIDs that contain the number of the message, so that every virtual user can tell which
 * message it is.
 */
export function messageIds(run) {
  const middle = `-${run.slice(0, 4)}-4${run.slice(4, 7)}-8${run.slice(7, 10)}-${run.slice(10, 14)}`
  return {
    idOf: (number) => `${hex(number, 8)}${middle}${hex(Math.imul(number + 1, 0x9e3779b1), 8)}`,
    isOurs: (id) => id.slice(8, 28) === middle,
  }
}

/**
 * 30 bits of a message's id and seq. Two lists of equal length almost certainly hold the same messages when the sums of
 * their fingerprints are equal; 2²³ of them add up without rounding.
 */
export function fingerprint({ clientMessageId, seq }) {
  const number = parseInt(clientMessageId.slice(0, 8), 16)
  let mixed = Math.imul(number ^ Math.imul(seq, 0x85ebca6b), 0xc2b2ae35)
  mixed ^= mixed >>> 15
  return Math.imul(mixed, 0x27d4eb2f) >>> 2
}

/** 14 random hexadecimal digits, the name of a run. */
export const newRun = () =>
  hex(Math.floor(Math.random() * 2 ** 28), 7) + hex(Math.floor(Math.random() * 2 ** 28), 7)
