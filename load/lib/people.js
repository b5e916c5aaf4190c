import { SharedArray } from 'k6/data'
import { numberSetting } from './setting.js'

/** The people that `npm run load` seeded; held once for all virtual users. */
const file = __ENV.PEOPLE ?? ''

/** @type {any[][]} */
export const pairs = new SharedArray('pairs', () => {
  if (!file) throw new Error('PEOPLE names no file of seeded people: start the scenario with npm run load.')
  // The file may hold those of a larger scenario, too.
  const all = JSON.parse(open(file)).pairs
  return all.slice(0, numberSetting('PAIRS', all.length))
})

/** All people: both of each pair. */
export const headCount = 2 * pairs.length

export const personAt = (index) => pairs[Math.floor(index / 2)][index % 2]

/** The people of one virtual user. */
export function groupOf(index, size) {
  const group = []
  for (let at = index * size; at < Math.min((index + 1) * size, headCount); at += 1) group.push(personAt(at))
  return group
}
