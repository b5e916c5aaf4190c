import type { Person } from '@sumlock/contracts/internal-routes'
import type { Clock } from '@sumlock/service-kit/clock'
import type { Logger } from '@sumlock/service-kit/logger'
import { createLru } from '@sumlock/service-kit/lru'

export interface KeyLearnerOptions {
  askAuth: (query: { userId: string }) => Promise<Person | null>
  savePerson: (person: Person) => Promise<void>
  clock: Pick<Clock, 'nowMs'>
  logger: Pick<Logger, 'warn'>
}

const pauseMs = 1000

/** Fetches a person with an unknown key from auth without making the caller wait, at most once a second for each person. */
export function createKeyLearner({ askAuth, savePerson, clock, logger }: KeyLearnerOptions) {
  const askedAtMs = createLru<string, number>(10_000)
  return (userId: string): void => {
    const now = clock.nowMs()
    if (now - (askedAtMs.get(userId) ?? -Infinity) < pauseMs) return
    askedAtMs.set(userId, now)
    askAuth({ userId })
      .then((person) => (person ? savePerson(person) : undefined))
      .catch((error: unknown) =>
        logger.warn(
          { err: error },
          'the keys of a person could not be fetched from auth; a later send will fetch them',
        ),
      )
  }
}
