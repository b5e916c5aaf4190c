import { randomInt } from 'node:crypto'

const numbers = 10_000_000_000
let next = randomInt(numbers)

/**
 * Returns a phone number that no other call returns, neither in this file nor in another one that runs against the same
 * stack.
 */
export function freshPhone(): string {
  next = (next + 1) % numbers
  // German numbers can be long enough.
  return `+49155${String(next).padStart(10, '0')}`
}
