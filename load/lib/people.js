import { SharedArray } from 'k6/data'
import { numberSetting } from './setting.js'

/**
 * @typedef {{ userId: string, username: string, password: string, pin: string, cookie: string, csrfToken: string,
 *   conversationId: string }} Person
 */

/** Where `npm run load` writes down whom it seeded; held once for all virtual users. */
const file = __ENV.PEOPLE ?? ''

/** @type {Person[][]} */
export const pairs = new SharedArray('pairs', () => {
  if (!file) throw new Error('PEOPLE names no file of seeded people: start the scenario with npm run load.')
  // The file may hold those of a larger scenario, too.
  const all = JSON.parse(open(file)).pairs
  return all.slice(0, numberSetting('PAIRS', all.length))
})

/** Everybody, the two of a pair beside each other. */
export const headCount = 2 * pairs.length

/** @param {number} index */
export const personAt = (index) => pairs[Math.floor(index / 2)][index % 2]

/**
 * The people of one of several machines.
 * @param {number} index
 * @param {number} size
 */
export function groupOf(index, size) {
  /** @type {Person[]} */
  const group = []
  for (let at = index * size; at < Math.min((index + 1) * size, headCount); at += 1) group.push(personAt(at))
  return group
}
