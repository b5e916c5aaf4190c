import { SharedArray } from 'k6/data'
import type { LoadPair, LoadPerson } from './load-person.ts'

/** Reads a positive number that `npm run load` passes as `-e NAME=value`. */
export function numberSetting(name: string): number {
  const value = Number(__ENV[name])
  if (!(value > 0)) throw new Error(`${name} must be a positive number, not ${__ENV[name]}.`)
  return value
}

/** All requests go to the gateway at this base URL. */
export const gateway = __ENV['GATEWAY'] ?? ''

/** `npm run load` has seeded these pairs. They are in memory once for all virtual users. */
export const pairs = new SharedArray<LoadPair>('pairs', () => {
  const { pairs } = JSON.parse(open(__ENV['PEOPLE'] ?? '')) as { pairs: LoadPair[] }
  return pairs.slice(0, numberSetting('PAIRS'))
})

export const peopleCount = 2 * pairs.length

export const personAt = (index: number): LoadPerson => pairs[Math.floor(index / 2)]![index % 2 === 0 ? 0 : 1]
