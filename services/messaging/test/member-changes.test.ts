import { randomUUID } from 'node:crypto'
import { collectionOf } from '@sumlock/service-kit/collection-of'
import { transact } from '@sumlock/service-kit/transact'
import { begin } from '@sumlock/testing/many-messages'
import { openNamespace } from '@sumlock/testing/namespace'
import type { Namespace } from '@sumlock/testing/namespace'
import { eventually } from '@sumlock/testing/wait'
import type { ClientSession } from 'mongoose'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import { memberKey, otherKey } from '../src/domain/member.ts'
import type { MemberRecord } from '../src/domain/member.ts'
import { messageKey } from '../src/domain/message.ts'

let namespace: Namespace
let ctx: Context
beforeAll(async () => {
  namespace = await openNamespace()
  ctx = await createContext(readConfig(namespace.environmentOf('messaging')))
})
afterAll(async () => {
  await ctx?.close()
  await namespace?.close()
})

/** Reads the rows as a list does. */
const rows = () => collectionOf<MemberRecord>(ctx.connection, 'members', { readConcern: { level: 'local' } })
const within = (work: (session: ClientSession) => Promise<unknown>) => transact(ctx.connection, work)

/** The row of Ann in a conversation with Ben that is an hour old. */
async function begun(): Promise<MemberRecord> {
  const one = { id: randomUUID(), memberIds: [randomUUID(), randomUUID()] as const }
  await begin(ctx.connection, [one], { at: new Date(Date.now() - 3_600_000) })
  return (await ctx.memberList.of(one.memberIds[0], one.id)) as MemberRecord
}
const messageTo = ({ personId, otherId, conversationId }: MemberRecord, seq: number, isHidden = false) => ({
  _id: messageKey(conversationId, seq),
  ...{ conversationId, senderId: otherId, memberIds: [personId, otherId], seq },
  createdAt: new Date(),
  ...(isHidden && { isHidden: true as const }),
})
const keysOf = ({ personId, otherId, conversationId }: MemberRecord) =>
  [personId, otherId].map((id) => memberKey(id, conversationId))

describe('what a send remembers of a conversation', () => {
  it.each<[string, (row: MemberRecord) => Promise<unknown>]>([
    [
      'a block',
      (row) => within((session) => ctx.memberState.setBlocked(row, { isBlocked: true, code: 'A' }, session)),
    ],
    [
      'an unblock',
      (row) => within((session) => ctx.memberState.setBlocked(row, { isBlocked: false, code: '' }, session)),
    ],
    ['an accepted request', (row) => ctx.memberState.accept(row)],
    [
      'a stand-in for the other',
      (row) => {
        const left = { conversationId: row.conversationId, standIn: randomUUID(), lastSeq: 0 }
        return ctx.memberErasure.replaceMember(row.otherId, [left])
      },
    ],
  ])('is read again by another replica after %s', async (_what, write) => {
    const row = await begun()
    const changes = ctx.memberList.followChanges()
    await changes()
    await write(row)
    expect(await changes()).toContain(row._id)
    expect(await changes()).not.toContain(row._id)
  })

  it('is read again by another replica after the conversation began', async () => {
    const changes = ctx.memberList.followChanges()
    await changes()
    const [personId, otherId, conversationId] = [randomUUID(), randomUUID(), randomUUID()]
    const one = { conversationId, personId, otherId, createdAt: new Date(), isRequest: false }
    await within((session) => ctx.memberState.insert(one, session))
    expect(await changes()).toEqual(
      expect.arrayContaining([memberKey(personId, conversationId), memberKey(otherId, conversationId)]),
    )
  })

  it("is read again by another replica after the database's clock was set back", async () => {
    const [row, changedBefore] = [await begun(), await begun()]
    const stateChangedAt = new Date(Date.now() + 60_000)
    await rows().updateOne({ _id: changedBefore._id }, { $set: { stateChangedAt } })
    const changes = ctx.memberList.followChanges()
    expect(await changes()).toContain(changedBefore._id)
    await ctx.memberState.accept(row)
    expect(await changes()).toContain(row._id)
    expect(await changes()).not.toContain(row._id)
  })

  it('is not read again after messages, read marks and mutes', async () => {
    const row = await begun()
    const changes = ctx.memberList.followChanges()
    await changes()
    await ctx.memberActivity.move([messageTo(row, 1)])
    await ctx.memberState.moveRead(row, { seq: 1, isWithheld: false })
    await within((session) => ctx.memberState.setOwn(row, ['isMuted', true], session))
    const changed = await changes()
    for (const key of keysOf(row)) expect(changed).not.toContain(key)
  })

  it('is all read again when very many rows have changed', async () => {
    const changes = ctx.memberList.followChanges()
    await changes()
    const many = Array.from({ length: 501 }, () => ({
      id: randomUUID(),
      memberIds: [randomUUID(), randomUUID()] as const,
    }))
    await begin(ctx.connection, many)
    expect(await changes()).toBe('all')
    await rows().updateMany({}, { $set: { stateChangedAt: new Date(0) } })
  })
})

describe('whether a row is listed', () => {
  const isListed = async (row: MemberRecord) =>
    (await ctx.memberList.latestOf(row.personId, row.conversationId))?.isListed
  const remove = (row: MemberRecord, seq: number) =>
    within((session) => ctx.memberClearing.deleteFor(row, seq, session))

  it('is the same whether the message or the deletion before it is written first', async () => {
    const [first, second] = [await begun(), await begun()]
    await remove(first, 1)
    expect(await isListed(first)).toBe(false)
    await ctx.memberActivity.move([messageTo(first, 2)])
    await ctx.memberActivity.move([messageTo(second, 2)])
    await remove(second, 1)
    expect(await isListed(first)).toBe(true)
    expect(await isListed(second)).toBe(true)
  })

  it('does not change with a deleted message whose row moves late', async () => {
    const row = await begun()
    await remove(row, 1)
    await ctx.memberActivity.move([messageTo(row, 1)])
    expect(await isListed(row)).toBe(false)
  })
})

describe('a message', () => {
  it('moves both rows, once, and an older one that comes later moves none', async () => {
    const row = await begun()
    const [older, newer] = [messageTo(row, 1), messageTo(row, 2)]
    await ctx.memberActivity.move([newer])
    const moved = await rows().find({ conversationId: row.conversationId }).toArray()
    expect(moved.map(({ newestSeq, activeAt }) => ({ newestSeq, activeAt }))).toEqual(
      Array.from({ length: 2 }, () => ({ newestSeq: 2, activeAt: newer.createdAt })),
    )
    await ctx.memberActivity.move([older, newer])
    expect(await rows().find({ conversationId: row.conversationId }).toArray()).toEqual(moved)
  })

  it('that is hidden moves the row of its sender only', async () => {
    const row = await begun()
    await ctx.memberActivity.move([messageTo(row, 1, true)])
    expect((await ctx.memberList.latestOf(row.otherId, row.conversationId))?.newestSeq).toBe(1)
    expect(await ctx.memberList.latestOf(row.personId, row.conversationId)).toEqual(row)
  })

  it('counts as moved only when the rows of all who are shown it have moved', async () => {
    const row = await begun()
    const [seen, hidden] = [messageTo(row, 1), messageTo(row, 2, true)]
    await ctx.memberActivity.move([seen, hidden])
    await eventually(async () =>
      expect(await ctx.memberActivity.moved([seen, hidden])).toEqual([seen._id, hidden._id]),
    )
    await rows().updateOne({ _id: row._id }, { $set: { newestSeq: 0 } })
    expect(await ctx.memberActivity.moved([seen, hidden])).toEqual([hidden._id])
  })
})

it('a message waits a second at most for a row that the transaction of a killed process has locked', async () => {
  const row = await begun()
  const { promise: killed, resolve: kill } = Promise.withResolvers<void>()
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>()
  const dying = within(async (session) => {
    await ctx.memberClearing.deleteFor(row, 1, session)
    lock()
    await killed
  })
  await locked
  await expect(ctx.memberActivity.move([messageTo(row, 2)])).rejects.toThrow('time limit')
  kill()
  await dying
  await ctx.memberActivity.move([messageTo(row, 2)])
  expect(await ctx.memberList.latestOf(row.personId, row.conversationId)).toMatchObject({
    ...{ newestSeq: 2, clearedSeq: 1, isListed: true },
  })
})

describe('a read mark', () => {
  const read = (row: MemberRecord, seq: number, isWithheld = false) =>
    ctx.memberState.moveRead(row, { seq, isWithheld })
  const shown = async ({ otherId, conversationId }: MemberRecord) =>
    (await ctx.memberList.of(otherId, conversationId))?.otherReadSeq

  it.each(['own', 'other'])('that a crash left behind in the %s row is repeated there', async (behind) => {
    const row = await begun()
    await ctx.memberActivity.move([messageTo(row, 3)])
    if (behind === 'other') await rows().updateOne({ _id: row._id }, { $set: { readSeq: 3 } })
    else await rows().updateOne({ _id: otherKey(row) }, { $set: { otherReadSeq: 3 } })
    expect(await read(row, 3)).toEqual({ isOwnMoved: behind === 'own', isCopyMoved: behind === 'other' })
    expect((await ctx.memberList.of(row.personId, row.conversationId))?.readSeq).toBe(3)
    expect(await shown(row)).toBe(3)
    expect(await read(row, 3)).toEqual({ isOwnMoved: false, isCopyMoved: false })
  })

  it('that is withheld changes nothing that the other row is shown, also when it is repeated later', async () => {
    const row = await begun()
    await ctx.memberActivity.move([messageTo(row, 3)])
    const other = () => rows().findOne({ _id: otherKey(row) })
    const before = await other()
    expect(await read(row, 2, true)).toEqual({ isOwnMoved: true, isCopyMoved: false })
    expect(await read(row, 2)).toEqual({ isOwnMoved: false, isCopyMoved: false })
    expect(await read(row, 1)).toEqual({ isOwnMoved: false, isCopyMoved: false })
    const { withheldReadSeq, ...after } = (await other()) ?? {}
    expect(withheldReadSeq).toBe(2)
    expect(after).toEqual(before)
    expect(await read(row, 3)).toEqual({ isOwnMoved: true, isCopyMoved: true })
    expect(await shown(row)).toBe(3)
  })

  it('that a crash withheld before the own row moved stays withheld when it is repeated', async () => {
    const row = await begun()
    await ctx.memberActivity.move([messageTo(row, 3)])
    await rows().updateOne({ _id: otherKey(row) }, { $set: { withheldReadSeq: 3 } })
    expect(await read(row, 3)).toEqual({ isOwnMoved: true, isCopyMoved: false })
    expect(await shown(row)).toBe(0)
  })
})

it('two members who are erased at the same time leave rows that name neither', async () => {
  const row = await begun()
  const erase = (personId: string) => {
    const left = { conversationId: row.conversationId, standIn: randomUUID(), lastSeq: 0 }
    return ctx.memberErasure.replaceMember(personId, [left])
  }
  await Promise.all([erase(row.personId), erase(row.otherId)])
  const left = await rows().find({ conversationId: row.conversationId }).toArray()
  expect(left).toHaveLength(2)
  const text = JSON.stringify(left)
  for (const personId of [row.personId, row.otherId]) expect(text).not.toContain(personId)
  const [one, other] = left as [MemberRecord, MemberRecord]
  expect(one.otherId).toBe(other.personId)
  expect(other.otherId).toBe(one.personId)
})

it('a row that a transaction has locked keeps no other row from being moved surely', async () => {
  const [locked, free] = [await begun(), await begun()]
  const session = await ctx.connection.startSession()
  session.startTransaction()
  try {
    await rows().updateOne({ _id: locked._id }, { $set: { isMuted: true } }, { session })
    const [stuck, other] = [messageTo(locked, 1), messageTo(free, 1)]
    expect(await ctx.memberActivity.moveSurely([stuck, other])).toEqual([stuck])
    const found = await rows().findOne({ _id: free._id })
    expect(found?.newestSeq).toBe(1)
  } finally {
    await session.abortTransaction()
    await session.endSession()
  }
})
