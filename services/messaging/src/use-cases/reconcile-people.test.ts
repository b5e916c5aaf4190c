import type { Person } from '@sumlock/contracts/internal-routes'
import { noDatabase } from '@sumlock/testing/no-database'
import type { Context } from '../context.ts'
import type { Standing } from '../domain/entitlement.ts'
import { createReconcilePeople } from './reconcile-people.ts'

const changedAt = '2026-11-24T12:00:00.000Z'
const key = (epoch: number) => ({ epoch, pub: `key ${epoch}` })
const ann: Person = { userId: 'ann', username: 'ann', userCode: 'A', version: 3 }

interface Stored {
  row?: Person
  standing?: Partial<Standing>
}

/** What is stored and published after auth named this person, of whom messaging knows so much. */
async function reconciled(person: Person, { row, standing }: Stored = {}) {
  const done: string[] = []
  const stored = <T>(value: T | undefined) => new Map(value ? [[person.userId, value]] : [])
  const ctx = {
    clock: { nowMs: () => Date.parse(changedAt) },
    askPersonChanges: (since: Date) =>
      Promise.resolve(since < new Date(changedAt) ? [{ person, changedAt }] : []),
    people: { byIds: () => Promise.resolve(stored(row)) },
    entitlementStore: {
      standingsOf: () => Promise.resolve(stored(standing)),
      setGone: (_id: string, _version: number, isGone: boolean) => {
        done.push(`gone: ${isGone}`)
        return Promise.resolve(true)
      },
    },
    savePerson: ({ version }: Person) => Promise.resolve(void done.push(`version ${version}`)),
    entitlements: { drop: () => undefined },
    memberList: { partnersOf: () => Promise.resolve([]) },
    connection: noDatabase(),
    outbox: { add: () => Promise.resolve(void done.push('limits changed')), kick: () => undefined },
  }
  await createReconcilePeople(ctx as unknown as Context, () => false)()
  return done
}

describe('a changed person whom auth names', () => {
  it('is stored when messaging knows nothing or an older version', async () => {
    expect(await reconciled(ann)).toEqual(['version 3'])
    expect(await reconciled(ann, { row: { ...ann, version: 2 } })).toEqual(['version 3'])
  })

  it('is left alone when this version or a newer one is known', async () => {
    expect(await reconciled(ann, { row: ann })).toEqual([])
    expect(await reconciled(ann, { row: { ...ann, version: 4 } })).toEqual([])
  })

  it('marks a leaving person as gone for both sides, and only once', async () => {
    const leaving = { ...ann, isLeaving: true }
    const gone = ['version 3', 'gone: true', 'limits changed']
    expect(await reconciled(leaving, { row: { ...ann, version: 2 } })).toEqual(gone)
    // The person is already stored in this version, but the entitlement does not say that they are leaving.
    expect(await reconciled(leaving, { row: leaving })).toEqual(gone)
    expect(await reconciled(leaving, { row: leaving, standing: { isGone: true, personVersion: 3 } })).toEqual(
      [],
    )
  })

  it('whose newest key was not stored by a process that ended is stored again', async () => {
    const withKeys = { ...ann, keys: [key(1), key(2)] }
    const row = withKeys
    expect(await reconciled(withKeys, { row, standing: { keyEpoch: 1 } })).toEqual(['version 3'])
    expect(await reconciled(withKeys, { row, standing: { keyEpoch: 2 } })).toEqual([])
  })

  it('and was erased while auth answered does not come back', async () => {
    const standing = { isGone: true, personVersion: Number.MAX_SAFE_INTEGER }
    expect(await reconciled({ ...ann, isLeaving: true }, { standing })).toEqual([])
  })
})
