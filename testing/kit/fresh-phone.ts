import { randomInt } from 'node:crypto'

const numbers = 10_000_000
let next = randomInt(numbers)

/** A phone number no other call in this file gave: of 500 drawn anew each time, two are the same in one run of a hundred. */
export function freshPhone(): string {
  next = (next + 1) % numbers
  return `+1555${String(next).padStart(7, '0')}`
}
