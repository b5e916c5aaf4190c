import type { OwnedDatabase } from './database.ts'
import type { Timestamp } from './database.ts'

interface Hello {
  setName?: string
  hosts?: string[]
  operationTime: Timestamp
}

/**
 * One cluster time for all databases of the same replica set; each further set has a clock of its own. Call it after
 * listing the collections, so that all of them exist at that time.
 */
export async function presentMoments(databases: readonly OwnedDatabase[]): Promise<Timestamp[]> {
  const answers = await Promise.all(
    databases.map(async ({ db }) => (await db.command({ hello: 1 })) as unknown as Hello),
  )
  const latest = new Map<string, Timestamp>()
  const setOf = ({ setName, hosts }: Hello) => `${setName} ${hosts?.toSorted().join(' ')}`
  for (const answer of answers) {
    const known = latest.get(setOf(answer))
    if (!known || answer.operationTime.greaterThan(known)) latest.set(setOf(answer), answer.operationTime)
  }
  return answers.map((answer) => latest.get(setOf(answer)) as Timestamp)
}

export const clusterTimeText = (time: Timestamp): string =>
  `${time.getHighBitsUnsigned()}.${time.getLowBitsUnsigned()}`
