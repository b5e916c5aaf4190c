import { randomUUID } from 'node:crypto'
import { utcDay } from '@sumlock/service-kit/clock'
import { withDatabase } from '@sumlock/testing/database'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import { editMessage } from '../src/use-cases/edit-message.ts'
import { unsendMessage } from '../src/use-cases/unsend-message.ts'
import { twoPeople, whenAvailable } from './acts.ts'

const atOnce = 20

let stack: RunningStack
let ctx: Context
/** Its acts do not wait for each other, as those of many processes do not. */
let parallel: Context
beforeAll(async () => {
  stack = await sharedStack()
  ctx = await createContext(readConfig(stack.service('messaging').environment))
  const acting = { ...ctx.acting, run: <T>(_: string, work: () => Promise<T>) => work() }
  parallel = { ...ctx, acting }
})
afterAll(() => ctx?.close())

const setCounts = ({ user }: Person, counts: object) =>
  withDatabase(stack, 'messaging', (database) =>
    database
      .collection<{ _id: string; takenAt: Date }>('actCounts')
      .updateOne(
        { _id: `${user.id}|${utcDay(new Date())}` },
        { $set: { ...counts, takenAt: new Date() } },
        { upsert: true },
      ),
  )

/** Returns the codes with which the others were refused, and the number of those that were applied. */
async function outcomes(acts: readonly (() => Promise<unknown>)[]) {
  const ended = await Promise.allSettled(acts.map(whenAvailable))
  const codes = ended.flatMap((one) =>
    one.status === 'rejected' ? [(one.reason as { code?: string }).code ?? String(one.reason)] : [],
  )
  return { applied: ended.length - codes.length, codes: [...new Set(codes)].sort() }
}

const several = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

const editOf = ({ user }: Person, conversationId: string, clientMessageId: string) => ({
  ...{ userId: user.id, conversationId, target: { by: user.id, id: clientMessageId }, replaces: null },
  ...{ clientMessageId: randomUUID(), content: 'edited', sealed: undefined },
})

it('of 20 edits at once, only those up to the limit of the day are applied, each once', async () => {
  const { ann, id, say, stored } = await twoPeople(stack)
  const sent = []
  for (let index = 0; index < atOnce; index += 1) sent.push(await say(ann, 'x'))
  await setCounts(ann, { edit: 297 })
  const edits = sent
    .map((one) => editOf(ann, id, one.clientMessageId))
    .map((edit) => () => editMessage(parallel, edit))
  expect(await outcomes(edits)).toEqual({ applied: 3, codes: ['too_many_requests'] })
  expect((await stored()).filter(({ content }) => content === 'edited')).toHaveLength(3)
})

it('of 20 unsends of unstored messages at once, only those up to the limit of the day store anything', async () => {
  const { ann, id, stored } = await twoPeople(stack)
  await setCounts(ann, { unsend: 297 })
  const unsends = several(atOnce, () => {
    const target = { by: ann.user.id, id: randomUUID() }
    return () => unsendMessage(parallel, { userId: ann.user.id, conversationId: id, target })
  })
  expect(await outcomes(unsends)).toEqual({ applied: 3, codes: ['too_many_requests'] })
  expect((await stored()).map(({ isUnstored, seq }) => ({ isUnstored, seq }))).toEqual(
    [1, 2, 3].map((seq) => ({ isUnstored: true, seq })),
  )
})

it('of 20 edits of one message at once, only one replaces the content, also the last one allowed', async () => {
  const { ann, id, say, stored } = await twoPeople(stack)
  const sent = await say(ann, 'x')
  let replaces: string | null = null
  for (const count of [1, 2, 3, 4, 5, 6]) {
    const edits = several(atOnce, () => ({ ...editOf(ann, id, sent.clientMessageId), replaces }))
    const { applied, codes } = await outcomes(edits.map((edit) => () => editMessage(parallel, edit)))
    expect({ count, applied }).toEqual({ count, applied: count <= 5 ? 1 : 0 })
    expect(codes).toEqual([count <= 5 ? 'act_replaced' : 'too_many_edits'])
    const [row] = await stored()
    expect(row).toMatchObject({ version: Math.min(count, 5), edit: { count: Math.min(count, 5) } })
    replaces = row?.edit?.id ?? null
  }
})

it('the first acts of a day are all counted, although they come at once', async () => {
  const { ann, id, say } = await twoPeople(stack)
  const sent = await say(ann, 'x')
  await Promise.all([
    editMessage(parallel, editOf(ann, id, sent.clientMessageId)),
    ...several(5, () =>
      unsendMessage(parallel, {
        ...{ userId: ann.user.id, conversationId: id, target: { by: ann.user.id, id: randomUUID() } },
      }),
    ),
  ])
  const counts = await withDatabase(stack, 'messaging', (database) =>
    database.collection<{ _id: string }>('actCounts').findOne({ _id: { $regex: `^${ann.user.id}` } }),
  )
  expect(counts).toMatchObject({ edit: 1, unsend: 5 })
})

it('429 for the 301st unsend of a day, which stores nothing', async () => {
  const { ann, say, unsend, edit, stored } = await twoPeople(stack)
  const sent = await say(ann, 'one too many')
  await setCounts(ann, { unsend: 300 })
  for (const name of [sent, { ...sent, clientMessageId: randomUUID() }]) {
    const { status, body, headers } = await unsend(ann, name)
    expect({ status, body }).toMatchObject({ status: 429, body: { code: 'too_many_requests' } })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect(await stored()).toMatchObject([{ content: 'one too many' }])
  expect(await edit(ann, sent, 'edits count apart')).toMatchObject({ status: 201 })
})

it('the settings lower the limits', async () => {
  const { ann, id, say } = await twoPeople(stack)
  const [first, second] = [await say(ann, 'x'), await say(ann, 'y')]
  const settings = { EDITS_AND_REACTIONS_PER_DAY: 2, UNSENDS_PER_DAY: 1, EDITS_PER_MESSAGE: 1 }
  const strict = await createContext({ ...ctx.config, ...settings })
  const edit = (name: string, replaces: string | null) =>
    editMessage(strict, { ...editOf(ann, id, name), replaces }).then(
      ({ message }) => message.edit?.id ?? null,
      ({ code }: { code?: string }) => code ?? null,
    )
  const unsend = (name: string) =>
    unsendMessage(strict, {
      userId: ann.user.id,
      conversationId: id,
      target: { by: ann.user.id, id: name },
    }).then(
      ({ message }) => message.isUnsent,
      ({ code }: { code?: string }) => code,
    )
  const edited = await edit(first.clientMessageId, null)
  expect(edited).toMatch(/^[\da-f-]{36}$/)
  expect(await edit(first.clientMessageId, edited)).toBe('too_many_edits')
  await setCounts(ann, { edit: 2 })
  expect(await edit(second.clientMessageId, null)).toBe('too_many_requests')
  expect([await unsend(first.clientMessageId), await unsend(second.clientMessageId)]).toEqual([
    true,
    'too_many_requests',
  ])
  await strict.close()
})
