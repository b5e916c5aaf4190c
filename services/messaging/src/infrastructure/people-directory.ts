import { findPerson } from '@sumlock/contracts/internal-routes'
import type { Person } from '@sumlock/contracts/internal-routes'
import type { InternalClient } from '@sumlock/service-kit/internal-client'
import type { EntitlementStore } from '../stores/entitlement-store.ts'
import type { createPersonStore } from '../stores/person-store.ts'
import type { EntitlementCache } from './entitlement-cache.ts'

export interface PeopleDirectoryOptions {
  auth: InternalClient
  people: ReturnType<typeof createPersonStore>
  entitlementStore: EntitlementStore
  entitlements: EntitlementCache
}

/** Finds people in messaging's copy and, if they are missing there, at auth, which owns them. */
export function createPeopleDirectory({
  auth,
  people,
  entitlementStore,
  entitlements,
}: PeopleDirectoryOptions) {
  const savePerson = async (person: Person) => {
    await people.save(person)
    const newest = person.keys?.at(-1)
    if (!newest) return
    await entitlementStore.raiseKeyEpoch(person.userId, newest.epoch)
    entitlements.drop(person.userId)
  }
  const askAuth = async (query: { userCode: string } | { userId: string }) =>
    (await auth.call(findPerson, { query: { userCode: undefined, userId: undefined, ...query } })).person

  /** Returns people by id. People who are missing in messaging's copy are fetched from auth. */
  const findPeople = async (ids: readonly string[]): Promise<Map<string, Person>> => {
    const known = await people.byIds(ids)
    const unknown = ids.filter((userId) => !known.has(userId))
    const found = await Promise.all(unknown.map((userId) => askAuth({ userId }).catch(() => null)))
    for (const person of found) {
      if (!person) continue
      await savePerson(person)
      known.set(person.userId, person)
    }
    return known
  }

  return {
    savePerson,
    askAuth,
    findPeople,
    usernamesOf: async (ids: readonly string[]): Promise<ReadonlyMap<string, string>> =>
      new Map([...(await findPeople(ids))].map(([id, { username }]) => [id, username])),
  }
}
