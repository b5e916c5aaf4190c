import { resetApp } from '@sumlock/contracts/auth-routes'
import { listChanges } from '@sumlock/contracts/changes-routes'
import { setConversationState } from '@sumlock/contracts/conversation-state-routes'
import { limits } from '@sumlock/contracts/limits'
import { setupNumericPassword } from '@sumlock/contracts/lock-routes'
import { registerMedia } from '@sumlock/contracts/media-routes'
import { deleteConversation } from '@sumlock/contracts/messaging-routes'
import { withDatabase } from '@sumlock/testing/database'
import { unlock } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { createSockets, nextEvent } from '@sumlock/testing/socket'
import { eventually } from '@sumlock/testing/wait'
import { erasedWithin, openingFriends, setReceipts } from './once.ts'

const empty = { content: '', messageType: 'image', isOnce: true }
const dayMs = 86_400_000

let stack: RunningStack
const sockets = createSockets()
beforeAll(async () => {
  stack = await sharedStack()
})
afterAll(sockets.close)

const friends = (options?: { isSilent?: boolean }) => openingFriends(stack, options)

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
      // The event about her new limits may come only now.
      const others = ['status', 'limits_changed']
      ;(await sockets.open(ann)).subscribe({
        onEvent: (event) => !others.includes(event.type) && events.push(event),
      })
      const atBen = nextEvent(await sockets.open(ben), ({ type }) => type === 'conversation_changed')
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
