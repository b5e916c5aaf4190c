import {
  setConversationPreferences,
  setConversationState,
} from '@sumlock/contracts/conversation-state-routes'
import { limits } from '@sumlock/contracts/limits'
import { lock } from '@sumlock/contracts/lock-routes'
import {
  deleteConversation,
  listMessages,
  openOnce as openOnceRoute,
  sendMessage,
} from '@sumlock/contracts/messaging-routes'
import { get, readSlowly, storedObjects, upload, someBytes } from '@sumlock/testing/media'
import { adminPerson, befriend, makePremium, unlock, unlockedPerson } from '@sumlock/testing/people'
import { sharedStack } from '@sumlock/testing/shared-stack'
import type { RunningStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'
import { readConfig } from '../src/config.ts'
import { createContext } from '../src/context.ts'
import type { Context } from '../src/context.ts'
import { openOnce } from '../src/use-cases/open-once.ts'
import { onceFriends } from './once.ts'
import type { Once } from './once.ts'

const readMs = limits.openOnceMinutes * 60_000
const erasedWithin = { timeoutMs: 60_000, everyMs: 250 }
const refused = { status: 409, body: { code: 'already_opened' } }
const notFound = { status: 404, body: { code: 'message_not_found' } }

let stack: RunningStack
let replicas: [Context, Context]
beforeAll(async () => {
  stack = await sharedStack()
  const { environment } = stack.service('messaging')
  const open = () => createContext(readConfig(environment))
  replicas = await Promise.all([open(), open()])
})
afterAll(() => Promise.all((replicas ?? []).map((ctx) => ctx.close())))

const objectsOf = async ({ file }: Once) =>
  (await storedObjects(stack)).filter((key) => key.startsWith(file.slice(-24)))

describe('the file of a message that opens once', () => {
  it('is read by the session that opens the message, and by no other', async () => {
    const { ann, ben, sendOnce, open, reads, elsewhere } = await onceFriends(stack)
    const [once, second] = [await sendOnce(), await elsewhere(ben)]
    for (const person of [ann, ben, second]) expect(await reads(person, once)).toBe(404)
    const beforeMs = Date.now()
    const answer = await open(ben, once)
    const { mediaUrl, content } = { mediaUrl: once.file, content: 'caption' }
    expect(answer).toMatchObject({ status: 200, body: { mediaUrl, content, isOnce: true, isOpened: true } })
    const endMs = Date.parse((answer.body as Once).vanishAt ?? '')
    expect(endMs).toBeGreaterThanOrEqual(beforeMs + readMs)
    expect(endMs).toBeLessThanOrEqual(Date.now() + readMs)
    expect(Buffer.compare((await get(ben.client, once.file)).bytes, once.bytes)).toBe(0)
    expect((await get(ben.client, once.file, 'bytes=10-19')).bytes).toEqual(
      Buffer.from(once.bytes.subarray(10, 20)),
    )
    for (const person of [ann, second]) expect(await reads(person, once)).toBe(404)
    expect(await open(second, once)).toMatchObject(refused)
    expect(await open(ben, once)).toMatchObject({ status: 200, body: answer.body })
  })

  it('is read no more once the session closes it, and is then erased', async () => {
    const { ben, sendOnce, open, close, reads, elsewhere, rowOf } = await onceFriends(stack)
    // Some 20 MB can be in the buffers between the store and the reader.
    const [once, second] = [await sendOnce({ length: 55_000_000 }), await elsewhere(ben)]
    await open(ben, once)
    const slow = readSlowly(ben.client, once.file)
    await slow.hasBegun
    expect(await close(second, once)).toMatchObject(notFound)
    expect(await close(ben, once)).toMatchObject({ status: 200 })
    expect(await reads(ben, once)).toBe(404)
    expect(await slow.read).toBeLessThan(once.bytes.length)
    expect(await open(ben, once)).toMatchObject(refused)
    await eventually(async () => {
      expect(await rowOf(once)).toMatchObject({ content: '', mediaUrl: null, open: { isTold: true } })
      expect(await objectsOf(once)).toEqual([])
    }, erasedWithin)
    expect(JSON.stringify(await rowOf(once))).not.toContain('sessionId')
    expect(await open(ben, once)).toMatchObject(refused)
    expect(await close(ben, once)).toMatchObject(notFound)
  })

  it('is read no more after a lock, also not by the same session', async () => {
    const { ben, sendOnce, open, close, reads } = await onceFriends(stack)
    const once = await sendOnce({ length: 55_000_000 })
    await open(ben, once)
    // Another tab that unlocks an unlocked session does not end the reading.
    await unlock(ben)
    expect(await reads(ben, once)).toBe(200)
    const slow = readSlowly(ben.client, once.file)
    await slow.hasBegun
    await ben.client.ok(lock)
    expect(await slow.read).toBeLessThan(once.bytes.length)
    await unlock(ben)
    expect(await reads(ben, once)).toBe(404)
    expect(await open(ben, once)).toMatchObject(refused)
    // The viewer of the session closes it as soon as the device is unlocked again.
    expect(await close(ben, once)).toMatchObject({ status: 200 })
  })

  it('is read no more after ten minutes, and is then erased', async () => {
    const { ben, sendOnce, open, reads, pass, rowOf } = await onceFriends(stack)
    const once = await sendOnce({ length: 55_000_000 })
    await open(ben, once)
    await pass(once, readMs - 20_000)
    expect(await open(ben, once)).toMatchObject({ status: 200 })
    const slow = readSlowly(ben.client, once.file)
    await slow.hasBegun
    await pass(once, 20_000)
    expect(await reads(ben, once)).toBe(404)
    expect(await slow.read).toBeLessThan(once.bytes.length)
    expect(await open(ben, once)).toMatchObject(refused)
    await eventually(async () => {
      expect(await rowOf(once)).toMatchObject({ content: '', mediaUrl: null })
      expect(await objectsOf(once)).toEqual([])
    }, erasedWithin)
  })

  it('is erased after 30 days without an opening', async () => {
    const { ben, sendOnce, open, pass, shown, rowOf } = await onceFriends(stack)
    const once = await sendOnce()
    await pass(once, limits.unreadVanishDays * 86_400_000)
    expect(await open(ben, once)).toMatchObject(refused)
    expect((await shown(ben)).message).toMatchObject({ content: '', isOnce: true, isVanished: true })
    await eventually(async () => {
      expect(await rowOf(once)).toMatchObject({ content: '', mediaUrl: null })
      expect(await objectsOf(once)).toEqual([])
    }, erasedWithin)
    expect((await shown(ben)).message).toMatchObject({ content: '', isOnce: true, isVanished: true })
    expect((await shown(ben)).message).not.toHaveProperty('isOpened')
  })
})

describe('an opening', () => {
  it('succeeds for one of two sessions that ask two replicas at the same time', async () => {
    const { ben, sendOnce, reads, elsewhere } = await onceFriends(stack)
    const second = await elsewhere(ben)
    for (let round = 0; round < 5; round += 1) {
      const once = await sendOnce()
      const answers = await Promise.allSettled(
        replicas.map((ctx, index) =>
          openOnce(ctx, {
            ...{ messageId: once.id, userId: ben.user.id },
            ...{ sessionId: `session ${index}`, unlockedAt: new Date(1) },
          }),
        ),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      const lost = answers.find((answer) => answer.status === 'rejected')
      expect(lost?.reason).toMatchObject({ code: 'already_opened' })

      const other = await sendOnce()
      const [left, right] = await Promise.all(
        [ben, second].map(({ client }) => client.call(openOnceRoute, { params: { id: other.id } })),
      )
      expect([left?.status, right?.status].sort()).toEqual([200, 409])
      const [winner, loser] = left?.status === 200 ? [ben, second] : [second, ben]
      expect(await reads(winner, other)).toBe(200)
      expect(await reads(loser, other)).toBe(404)
    }
  })

  it('waits while the token of an older auth does not say when the session was unlocked', async () => {
    const { ben, sendOnce, open, rowOf } = await onceFriends(stack)
    const once = await sendOnce()
    const caller = { messageId: once.id, userId: ben.user.id, sessionId: 's', unlockedAt: null }
    await expect(openOnce(replicas[0], caller)).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await rowOf(once)).not.toHaveProperty('open')
    expect(await open(ben, once)).toMatchObject({ status: 200 })
  })

  it('finds no message for its sender, a stranger, or who has deleted it', async () => {
    const { ann, ben, id, sendOnce, open, reads } = await onceFriends(stack)
    const [once, eve] = [await sendOnce(), await unlockedPerson(stack)]
    for (const person of [ann, eve]) expect(await open(person, once)).toMatchObject(notFound)
    await ben.client.ok(deleteConversation, { params: { id } })
    expect(await open(ben, once)).toMatchObject(notFound)
    expect(await reads(ben, once)).toBe(404)
  })

  it('finds no other message', async () => {
    const { ann, ben, say, open } = await onceFriends(stack)
    expect(await open(ben, await say(ann, 'a text'))).toMatchObject(notFound)
  })

  it('finds no message that a block hides, also not after the block', async () => {
    const { ben, id, sendOnce, open, rowOf, history } = await onceFriends(stack)
    const isBlocked = (is: boolean) =>
      ben.client.ok(setConversationState, { params: { id }, body: { isBlocked: is } })
    await isBlocked(true)
    const hidden = await eventually(async () => {
      const once = await sendOnce()
      expect(await rowOf(once)).toMatchObject({ isHidden: true })
      return once
    })
    expect(await open(ben, hidden)).toMatchObject(notFound)
    await isBlocked(false)
    expect(await open(ben, hidden)).toMatchObject(notFound)
    const tombstone = (await history(ben)).at(-1)
    expect(tombstone).toMatchObject({ content: '', messageType: 'text', mediaUrl: null })
    expect(tombstone).not.toHaveProperty('isOnce')
  })

  it('finds no message of a request before it is accepted', async () => {
    const [ann, ben] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
    await makePremium(await adminPerson(stack), ann)
    await ben.client.ok(setConversationPreferences, { body: { asksFirst: true } })
    const { id } = await befriend(ann, ben)
    const mediaUrl = await upload(ann.client, someBytes(10))
    const body = { conversationId: id, messageType: 'voice' as const, mediaUrl, isOnce: true as const }
    const once = await ann.client.ok(sendMessage, { body })
    const open = () => ben.client.call(openOnceRoute, { params: { id: once.id } })
    await eventually(async () =>
      expect(await ben.client.ok(listMessages, { params: { id } })).toHaveLength(1),
    )
    expect(await open()).toMatchObject(notFound)
    await ben.client.ok(setConversationState, { params: { id }, body: { isAccepted: true } })
    expect(await open()).toMatchObject({ status: 200, body: { messageType: 'voice' } })
  })
})
