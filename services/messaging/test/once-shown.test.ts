import { resetApp } from '@sumlock/contracts/auth-routes'
import { listChanges } from '@sumlock/contracts/changes-routes'
import {
  listReports,
  reportConversation,
  setConversationPreferences,
  setConversationState,
} from '@sumlock/contracts/conversation-state-routes'
import { limits } from '@sumlock/contracts/limits'
import { setupNumericPassword } from '@sumlock/contracts/lock-routes'
import { registerMedia } from '@sumlock/contracts/media-routes'
import { deleteConversation, sendMessage } from '@sumlock/contracts/messaging-routes'
import type { Message } from '@sumlock/contracts/messaging-routes'
import type { LiveConnection } from '@sumlock/sync/ports'
import { withDatabase } from '@sumlock/testing/database'
import { someBytes, storedObjects, upload } from '@sumlock/testing/media'
import { adminPerson, unlock } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { connect, nextEvent, nextState } from '@sumlock/testing/socket'
import { eventually } from '@sumlock/testing/wait'
import { onceFriends } from './once.ts'

const erasedWithin = { timeoutMs: 60_000, everyMs: 250 }
const empty = { content: '', messageType: 'image', isOnce: true }
const dayMs = 86_400_000

let stack: RunningStack
const opened: LiveConnection[] = []
beforeAll(async () => {
  stack = await sharedStack()
})
afterAll(() => {
  for (const live of opened) live.close()
})

async function listen(person: Person) {
  const live = connect(person)
  opened.push(live)
  await nextState(live, ({ connected }) => connected)
  return live
}

const setReceipts = ({ client }: Person, showsRead: boolean) =>
  client.ok(setConversationPreferences, { body: { showsRead } })

/** Two people, and a message that the second one can open. */
async function friends({ isSilent = false } = {}) {
  const pair = await onceFriends(stack)
  const { ben, close, open, rowOf, sendOnce } = pair
  if (isSilent) await setReceipts(ben, false)
  const once = await sendOnce()
  return {
    ...pair,
    once,
    /** Opens and closes the message, and waits until nothing is left of it. */
    erase: async () => {
      expect(await open(ben, once)).toMatchObject({ status: 200 })
      expect(await close(ben, once)).toMatchObject({ status: 200 })
      await eventually(async () => {
        expect(await rowOf(once)).toMatchObject({ content: '', mediaUrl: null })
        expect((await storedObjects(stack)).filter((key) => key.startsWith(once.file.slice(-24)))).toEqual([])
      }, erasedWithin)
    },
  }
}

/** Everything that the sender is shown, without what changes by itself, and the row of which the sender is told. */
async function everythingShownTo({ client, user }: Person, pair: Awaited<ReturnType<typeof friends>>) {
  const { ann, id, used, shown, changed } = pair
  const { conversations } = await client.ok(listChanges)
  return {
    ...(await shown(ann)),
    conversations: conversations.map(({ messagesRemaining: _, ...row }) => row),
    changed: await changed(ann, 0),
    used: await used(ann),
    stored: await withDatabase(stack, 'messaging', (database) =>
      database.collection('members').findOne({ personId: user.id, conversationId: id }),
    ),
  }
}

describe('a message that opens once', () => {
  it('is shown to its sender without content from the beginning, and to its recipient until it is opened', async () => {
    const { ann, ben, once, shown, open, sendOnce } = await friends()
    expect(once).toMatchObject({ ...empty, mediaUrl: null })
    for (const one of Object.values(await shown(ann))) {
      expect(one).toMatchObject(empty)
      for (const field of ['isOpened', 'vanishAt']) expect(one).not.toHaveProperty(field)
      expect(one?.mediaUrl ?? null).toBeNull()
    }
    const { message, preview, copy } = await shown(ben)
    const whole = { content: 'caption', messageType: 'image', mediaUrl: once.file, isOnce: true }
    for (const one of [message, preview]) expect(one).toMatchObject(whole)
    expect(copy).toMatchObject({ ...empty, mediaUrl: null })

    await open(ben, once)
    for (const person of [ann, ben])
      for (const one of Object.values(await shown(person))) {
        expect(one).toMatchObject({ ...empty, isOpened: true })
        expect(one?.mediaUrl ?? null).toBeNull()
        expect(one).not.toHaveProperty('isVanished')
      }
    const [live, atBen] = await Promise.all([listen(ann), listen(ben)])
    const told = [live, atBen].map((one) => nextEvent(one, ({ type }) => type === 'new_message'))
    const next = await sendOnce()
    expect(await Promise.all(told)).toMatchObject([
      { data: { id: next.id, ...empty, mediaUrl: null } },
      { data: { id: next.id, content: 'caption', mediaUrl: next.file, isOnce: true } },
    ])
  })

  it('tells both members of its opening once', async () => {
    const { ann, ben, once, open, changed, row, id } = await friends()
    const atAnn = nextEvent(await listen(ann), ({ type }) => type === 'message_changed')
    await open(ben, once)
    await open(ben, once)
    expect(await atAnn).toMatchObject({ data: { conversationId: id, version: 1 } })
    for (const person of [ann, ben]) {
      expect(await changed(person, 0)).toMatchObject([{ ...empty, isOpened: true, version: 1 }])
      expect(await row(person)).toMatchObject({ version: 1 })
    }
  })

  it('looks the same to both after it is erased, and frees its bytes when the sender was told', async () => {
    const { ann, ben, once, open, shown, used, erase } = await friends()
    await open(ben, once)
    const before = [await shown(ann), await shown(ben)]
    await erase()
    expect([await shown(ann), await shown(ben)]).toEqual(before)
    await eventually(async () => expect(await used(ann)).toBe(0))
  })

  it('is answered in the same way when its original arrives again, whatever became of it', async () => {
    const { ann, ben, id, once, open, erase, mediaOf } = await friends({ isSilent: true })
    const again = async (mediaUrl: string, more: Partial<Pick<Message, 'isOnce' | 'messageType'>> = {}) => {
      const body = { conversationId: id, clientMessageId: once.clientMessageId, content: 'caption', mediaUrl }
      const { status, body: answer } = await ann.client.call(sendMessage, {
        body: { ...body, messageType: 'image', isOnce: true, ...more } as never,
      })
      return { status, answer }
    }
    const all = async () => {
      const file = new URL(await upload(ann.client, someBytes(10))).pathname
      const answers = [await again(once.file), await again(file)]
      return { answers, status: (await mediaOf({ ...once, file }))?.status }
    }
    const before = await all()
    const stored = { status: 200, answer: { ...empty, mediaUrl: null } }
    expect(before).toMatchObject({ answers: [stored, stored], status: 'bound' })
    const changedBody = { status: 409, answer: { code: 'client_message_id_reused' } }
    for (const more of [{ isOnce: undefined }, { messageType: 'voice' as const }])
      expect(await again(once.file, more as never)).toMatchObject(changedBody)
    await open(ben, once)
    expect(await all()).toEqual(before)
    await erase()
    expect(await all()).toEqual(before)
  })

  it('is taken back before and after it is opened', async () => {
    const { ann, ben, once, sendOnce, open, close, reads, unsend, history, rowOf, used } = await friends()
    expect(await unsend(ann, once)).toMatchObject({ status: 201, body: { isUnsent: true } })
    expect(await open(ben, once)).toMatchObject({ status: 404 })
    const second = await sendOnce()
    await open(ben, second)
    expect(await reads(ben, second)).toBe(200)
    expect(await unsend(ann, second)).toMatchObject({ status: 201, body: { isUnsent: true } })
    expect(await reads(ben, second)).toBe(404)
    expect(await open(ben, second)).toMatchObject({ status: 404 })
    expect(await close(ben, second)).toMatchObject({ status: 404 })
    for (const one of await history(ben)) {
      expect(one).toMatchObject({ content: '', messageType: 'text', isUnsent: true })
      for (const field of ['isOnce', 'isOpened', 'isVanished']) expect(one).not.toHaveProperty(field)
    }
    for (const field of ['isOnce', 'open', 'vanishAt']) expect(await rowOf(second)).not.toHaveProperty(field)
    await eventually(async () => expect(await used(ann)).toBe(0))
  })

  it('is neither edited nor reacted to', async () => {
    const { ann, ben, once, edit, react, open, changed } = await friends()
    const isRefused = { status: 409, body: { code: 'message_unsent' } }
    const all = async () => {
      expect(await edit(ann, once, 'edited')).toMatchObject({ ...isRefused, body: { message: empty } })
      for (const person of [ann, ben]) expect(await react(person, once, '👍')).toMatchObject(isRefused)
    }
    await all()
    expect(await changed(ben, 0)).toEqual([])
    await open(ben, once)
    await all()
  })

  it('is named in a report, without the text that is attached to it', async () => {
    const { ben, id, once } = await friends()
    const admin = await adminPerson(stack)
    const body = { messageIds: [once.id], contents: [{ id: once.id, text: 'says caption' }] }
    await ben.client.ok(reportConversation, { params: { id }, body })
    const found = (await admin.client.ok(listReports)).find(({ conversationId }) => conversationId === id)
    expect(found?.messages).toEqual([{ id: once.id }])
  })
})

describe('an opening of which the sender is not told', () => {
  it.each(['sender', 'recipient'])(
    'changes nothing for the sender when the %s turned receipts off',
    async (who) => {
      const pair = await friends()
      const { ann, ben, once, open, erase, shown, mediaOf, used, row } = pair
      await setReceipts(who === 'sender' ? ann : ben, false)
      const before = await everythingShownTo(ann, pair)
      const listed = await row(ben)
      const events: unknown[] = []
      ;(await listen(ann)).subscribe({ onEvent: (event) => event.type !== 'status' && events.push(event) })
      const atBen = nextEvent(await listen(ben), ({ type }) => type === 'conversation_changed')
      await open(ben, once)
      await atBen
      expect((await row(ben))?.lastMessage).toMatchObject({ ...empty, isOpened: true })
      expect(await row(ben)).toEqual({ ...listed, lastMessage: expect.anything() as unknown })
      expect(await everythingShownTo(ann, pair)).toEqual(before)
      await erase()
      expect(await everythingShownTo(ann, pair)).toEqual(before)
      expect((await shown(ben)).message).toMatchObject({ ...empty, isOpened: true })
      await setReceipts(who === 'sender' ? ann : ben, true)
      expect(await everythingShownTo(ann, pair)).toEqual(before)
      expect(await ann.client.call(registerMedia, { body: { mediaUrl: once.file } })).toMatchObject({
        status: 200,
      })
      expect(events).toEqual([])
      // The bytes are free when those of a message that nobody opened would be.
      const media = await mediaOf(once)
      expect(media).toMatchObject({ status: 'removing', sweepAt: media?.countedUntil })
      expect(media?.countedUntil?.getTime()).toBe(
        Date.parse(once.createdAt) + limits.unreadVanishDays * dayMs,
      )
      expect(await used(ann)).toBe(once.bytes.length)
    },
  )

  it('leaves no gap in the versions that the sender is shown', async () => {
    const { ann, ben, erase, say, edit, changed } = await friends({ isSilent: true })
    const first = await say(ann, 'first')
    await edit(ann, first, 'second')
    await erase()
    const last = await say(ben, 'last')
    await edit(ben, last, 'changed')
    expect((await changed(ann, 0)).map(({ version }) => version)).toEqual([1, 2])
  })

  it.each<[string, (pair: Awaited<ReturnType<typeof friends>>) => Promise<unknown>]>([
    [
      'it is taken back',
      async ({ ann, once, unsend }) =>
        expect(await unsend(ann, once)).toMatchObject({ status: 201, body: { isUnsent: true } }),
    ],
    [
      'both delete the conversation',
      async ({ ann, ben, id }) => {
        for (const { client } of [ann, ben]) await client.ok(deleteConversation, { params: { id } })
      },
    ],
    [
      'the sender resets the app',
      async ({ ann }) => {
        await ann.client.ok(resetApp, { body: { password: ann.password } })
        await ann.client.ok(setupNumericPassword, { body: { numericPassword: ann.pin } })
        await unlock(ann)
      },
    ],
  ])('frees the bytes when %s, as without an opening', async (_what, remove) => {
    const pair = await friends({ isSilent: true })
    await pair.erase()
    expect(await pair.used(pair.ann)).toBe(pair.once.bytes.length)
    await remove(pair)
    await eventually(async () => expect(await pair.used(pair.ann)).toBe(0), erasedWithin)
    expect(await pair.mediaOf(pair.once)).toBeNull()
  })

  it('is one by a person whom the sender has blocked since', async () => {
    const { ann, ben, id, once, open, shown, changed } = await friends()
    await ann.client.ok(setConversationState, { params: { id }, body: { isBlocked: true } })
    expect(await open(ben, once)).toMatchObject({ status: 200 })
    expect((await shown(ann)).message).not.toHaveProperty('isOpened')
    expect(await changed(ann, 0)).toEqual([])
  })
})
