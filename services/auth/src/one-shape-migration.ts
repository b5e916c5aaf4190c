import { dropCollection } from '@sumlock/service-kit/drop-collection'
import type { Migration } from '@sumlock/service-kit/migrations'
import { rangesOf } from '@sumlock/service-kit/ranges-of'
import { deleteInBatches } from '@sumlock/service-kit/write-in-batches'
import type { Connection } from 'mongoose'

const formerFields = [
  'pinHash',
  'explicitFailures',
  'pausedUntil',
  'softDay',
  'softFailures',
  'lastSoftFailure',
]
const usersNow = [
  {
    $set: {
      pinMac: { $ifNull: ['$pinMac', null] },
      pinVersion: { $ifNull: ['$pinVersion', 0] },
      isDiscreet: { $ifNull: ['$isDiscreet', false] },
    },
  },
  { $unset: formerFields },
]

const triesNow = {
  $unsetField: { field: 'explicitlyUnlockedAt', input: { $mergeObjects: [{ softOfDay: 0 }, '$$this.v'] } },
}
const tries = {
  $map: { input: { $objectToArray: '$sessions' }, in: { k: '$$this.k', v: triesNow } },
}
const budgetsNow = [{ $set: { sessions: { $arrayToObject: tries } } }, { $unset: 'softSpentAt' }]

/** Gives every row the shape that the code writes. Older shapes need no support afterwards, because none was released. */
export const oneShape: Migration = {
  id: '0017-one-shape',
  async up(connection) {
    await requireMacs(connection)
    const [users, budgets] = [connection.collection('users'), connection.collection('unlock_budgets')]
    for await (const _id of rangesOf(users)) await users.updateMany({ _id } as never, usersNow)
    for await (const _id of rangesOf(budgets)) await budgets.updateMany({ _id } as never, budgetsNow)
    // Sessions without this field would never end by idling, so their owners have to sign in again.
    await deleteInBatches(connection.collection('sessions'), { idleEndsAt: { $exists: false } })
    await deleteInBatches(connection.collection('mail_links'), { _id: /^[^:]+:[^:]+$/ })
    await dropCollection(connection, 'access_log')
  },
}

async function requireMacs(connection: Connection): Promise<void> {
  const user = await connection.collection('users').findOne({ pinHash: { $type: 'string' }, pinMac: null })
  if (user)
    throw new Error(
      `The number of account ${String(user._id)} is stored only as a bcrypt hash, which no release can read. Enter it once with the code before this migration, or reset the account's app, then migrate again.`,
    )
}
