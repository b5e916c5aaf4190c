import { randomInt } from 'node:crypto'

const numbers = 10_000_000_000
let next = randomInt(numbers)

/**
 * Returns a phone number that this process has not used before. The first one is random, so that other processes with
 * the same stack very probably use others.
 */
export function freshPhone(): string {
  next = (next + 1) % numbers
  // German numbers may be long enough for ten free digits behind their prefix.
  return `+49155${String(next).padStart(10, '0')}`
}
