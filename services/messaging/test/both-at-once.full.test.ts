import { randomUUID } from 'node:crypto'
import { begin } from '@sumlock/testing/many-messages'
import { openNamespace } from '@sumlock/testing/namespace'
import type { Namespace } from '@sumlock/testing/namespace'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import { keyInUrl, objectPathOf } from '../src/domain/media.ts'
import type { MediaRow } from '../src/domain/media.ts'
import type { MemberRecord } from '../src/domain/member.ts'
import type { MessageRecord } from '../src/domain/message.ts'
import { editMessage } from '../src/use-cases/edit-message.ts'
import { eraseVanished } from '../src/use-cases/erase-vanished.ts'
import { openOnce } from '../src/use-cases/open-once.ts'
import { reactToMessage } from '../src/use-cases/react-to-message.ts'
import { sendMessage } from '../src/use-cases/send-message.ts'
import { setTimer } from '../src/use-cases/set-timer.ts'
import { unsendMessage } from '../src/use-cases/unsend-message.ts'
import { insertFiles } from './insert-rows.ts'

const hourMs = 3_600_000
const ann = randomUUID()

let namespace: Namespace
let replicas: [Context, Context]
beforeAll(async () => {
  namespace = await openNamespace()
  const open = (index: number) => createContext(readConfig(namespace.environmentOf('messaging', index)))
  replicas = await Promise.all([open(0), open(1)])
  const subscriptionExpiresAt = new Date(Date.now() + hourMs).toISOString()
  await replicas[0].entitlementStore.save({
    ...{ userId: ann, version: 1 },
    ...{ subscriptionType: 'premium', subscriptionExpiresAt },
  })
})
afterAll(async () => {
  await Promise.all((replicas ?? []).map((ctx) => ctx.close()))
  await namespace?.close()
})

const rowsOf = <T extends object>(name: string) => replicas[0].connection.collection<T>(name)

/** Ann has sent a picture that vanishes, or one that opens once. */
async function conversation({ isOnce }: { isOnce: boolean }) {
  const [ctx] = replicas
  const [id, ben, clientMessageId] = [randomUUID(), randomUUID(), randomUUID()]
  await begin(ctx.connection, [{ id, memberIds: [ann, ben] }])
  await insertFiles(ctx.connection, ann, 1)
  const stored = await rowsOf<MediaRow>('media').findOne({ ownerId: ann, status: 'stored' })
  await sendMessage(ctx, {
    ...{ senderId: ann, conversationId: id, clientMessageId },
    ...({ content: 'secret', messageType: 'image', mediaUrl: objectPathOf(stored?._id ?? '') } as const),
    ...(isOnce ? { isOnce } : { vanishMs: hourMs }),
  })
  const message = () => rowsOf<MessageRecord>('messages').findOne({ conversationId: id })
  const { messageId = '', mediaUrl } = (await message()) ?? {}
  const target = { by: ann, id: clientMessageId }
  const actOf = (userId: string) => ({
    ...{ userId, conversationId: id, target, replaces: null },
    ...{ clientMessageId: randomUUID(), sealed: undefined },
  })
  const timerOf = (userId: string) => ({
    ...({ userId, conversationId: id, id: randomUUID(), vanishMs: hourMs, replaces: null } as const),
  })
  return {
    message,
    file: () => rowsOf<MediaRow>('media').findOne({ _id: keyInUrl(mediaUrl ?? '') ?? '' }),
    members: () => rowsOf<MemberRecord>('members').find({ conversationId: id }).toArray(),
    does: {
      edit: (at: Context) => editMessage(at, { ...actOf(ann), content: 'edited' }),
      unsend: (at: Context) => unsendMessage(at, actOf(ann)),
      reaction: (at: Context) => reactToMessage(at, { ...actOf(ben), content: '👍' }),
      opening: (at: Context) =>
        openOnce(at, { messageId, userId: ben, sessionId: randomUUID(), unlockedAt: new Date() }),
      expiry: (at: Context) => eraseVanished(at, new Date(Date.now() + 31 * 24 * hourMs)),
      'timer of Ann': (at: Context) => setTimer(at, timerOf(ann)),
      'timer of Ben': (at: Context) => setTimer(at, timerOf(ben)),
    },
  }
}

/** Something happens at another replica right after this one has read what it is going to change. */
function interrupted(ctx: Context, happens: () => Promise<unknown>): Context {
  let left = 1
  const then = async <T>(read: T): Promise<T> => {
    if (left-- > 0) await happens()
    return read
  }
  const { memberVersions, messages } = ctx
  return {
    ...ctx,
    memberVersions: {
      ...memberVersions,
      both: async (...row) => then(await memberVersions.both(...row)),
    },
    messages: {
      ...messages,
      dueToVanish: async (now) => then(await messages.dueToVanish(now)),
      named: async (...name) => then(await messages.named(...name)),
      once: async (id, session) => {
        const read = await messages.once(id, session)
        return session ? then(read) : read
      },
    },
  }
}

const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error as { code: string }).code,
  )

const absent = (...fields: (keyof MessageRecord)[]) =>
  Object.fromEntries(fields.map((field) => [field, undefined]))
const empty = { content: '', mediaUrl: null, ...absent('sealed', 'edit', 'reactions', 'own', 'vanishAt') }
const unsent = { ...empty, isUnsent: true, ...absent('isVanished', 'isOnce', 'open') }
const vanished = { ...empty, isVanished: true, ...absent('isUnsent') }
const reactions = { recipient: { id: expect.any(String) as string, content: '👍' } }
const changed = { content: 'edited', reactions }
const opened = { isTold: true, by: expect.anything() as object }
const isNumbered = (name: string) => ['edit', 'unsend', 'reaction', 'opening'].includes(name)

type Name = keyof Awaited<ReturnType<typeof conversation>>['does']

it.each<[Name, Name, outcome: string, row: object]>([
  ['edit', 'edit', 'act_replaced', { content: 'edited' }],
  ['edit', 'reaction', 'done', changed],
  ['edit', 'unsend', 'message_unsent', unsent],
  ['edit', 'expiry', 'message_unsent', vanished],
  ['reaction', 'edit', 'done', changed],
  ['reaction', 'reaction', 'act_replaced', { content: 'secret', reactions }],
  ['reaction', 'unsend', 'message_unsent', unsent],
  ['reaction', 'expiry', 'message_unsent', vanished],
  ['unsend', 'edit', 'done', unsent],
  ['unsend', 'reaction', 'done', unsent],
  ['unsend', 'opening', 'done', unsent],
  ['unsend', 'expiry', 'done', unsent],
  ['opening', 'opening', 'already_opened', { content: 'secret', open: opened }],
  ['opening', 'unsend', 'message_not_found', unsent],
  ['opening', 'expiry', 'already_opened', { ...vanished, isOnce: true, open: undefined }],
  ['expiry', 'edit', 'done', vanished],
  ['expiry', 'reaction', 'done', vanished],
  ['expiry', 'unsend', 'done', unsent],
  ['expiry', 'opening', 'done', { ...vanished, isOnce: true, open: { isTold: true } }],
])('of two replicas, %s at one is interrupted by %s at the other', async (outer, inner, outcome, row) => {
  const [first, second] = replicas
  const isOnce = [outer, inner].includes('opening')
  const { does, message, members, file } = await conversation({ isOnce })
  const interrupting = interrupted(first, async () =>
    expect(await outcomeOf(does[inner](second))).toBe('done'),
  )
  expect(await outcomeOf(does[outer](interrupting))).toBe(outcome)
  const { version, ...stored }: Partial<MessageRecord> = (await message()) ?? {}
  const kept = Object.keys(row).map((name) => [name, stored[name as keyof typeof stored]] as const)
  expect(Object.fromEntries(kept)).toEqual(row)
  const { status, countedUntil } = (await file()) ?? {}
  expect(status).toBe(stored.mediaUrl ? 'bound' : 'removing')
  // A sender must not notice by their storage when a message vanished that they did not take back.
  expect(countedUntil !== undefined).toBe(row === vanished)
  const done = [inner, ...(outcome === 'done' ? [outer] : [])].filter(isNumbered).length
  expect(version ?? 0).toBe(done)
  expect((await members()).map((member) => member.version ?? 0)).toEqual([done, done])
})

it.each<[Name, Name]>([
  ['timer of Ann', 'timer of Ann'],
  ['timer of Ann', 'timer of Ben'],
])('of two replicas, %s at one is refused if it is interrupted by %s at the other', async (outer, inner) => {
  const [first, second] = replicas
  const { does, members } = await conversation({ isOnce: false })
  const timers = async () => (await members()).map(({ timer }) => timer?.id)
  let set: (string | undefined)[] = []
  const interrupting = interrupted(first, async () => {
    await does[inner](second)
    set = await timers()
  })
  expect(await outcomeOf(does[outer](interrupting))).toBe('timer_replaced')
  expect(new Set(set).size).toBe(1)
  expect(await timers()).toEqual(set)
})
