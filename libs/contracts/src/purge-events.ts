import { z } from 'zod'
import { defineEvent } from './event.ts'
import { id } from './primitives.ts'

/** The services that store something about people, besides auth. */
export const purgeOwners = ['messaging', 'billing', 'notify'] as const
export type PurgeOwner = (typeof purgeOwners)[number]

/** Key userId. Repeated with each repeated request. */
export const purgeAcknowledged = defineEvent({
  type: 'purge.acknowledged.v1',
  topic: 'purge.acknowledgements',
  key: (data) => data.userId,
  data: z.object({ userId: id, owner: z.enum(purgeOwners) }),
  summary: 'A service has erased what it stored about a person.',
})
