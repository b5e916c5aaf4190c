import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { setConversationPreferences } from '@sumlock/contracts/conversation-state-routes'
import { limits } from '@sumlock/contracts/limits'
import type { Message } from '@sumlock/contracts/messaging-routes'
import type { Stack } from '@sumlock/dev/product/services'
import { killPoints } from '@sumlock/testing/config'
import { startTestStack } from '@sumlock/testing/engines'
import { get, sendMedia, someBytes, storedObjects } from '@sumlock/testing/media'
import { eventually } from '@sumlock/testing/wait'
import { isAnywhere } from './acts.ts'
import { onceFriends } from './once.ts'

/** One command empties fewer messages. */
const texts = 520
const files = 5
const sentAtOnce = 40
const vanishMs = 300_000
const onceMs = limits.openOnceMinutes * 60_000
const fileBytes = 1000

type Pair = Awaited<ReturnType<typeof onceFriends>>

let stack: Stack
let pair: Pair
beforeAll(async () => {
  stack = await startTestStack({ replicas: { messaging: 1, realtime: 0, notify: 0 } })
  pair = await onceFriends(stack)
})
afterAll(() => stack?.stop())

const objectOf = (url: string | null) => url?.slice(-24) ?? ''

/** Sends what opens once, which the recipient opens; the sender is told of the first opening only. */
async function openedOnce() {
  const { ben, sendOnce, open } = pair
  const once = [await sendOnce({ length: fileBytes }), await sendOnce({ length: fileBytes })] as const
  for (const [index, message] of once.entries()) {
    await ben.client.ok(setConversationPreferences, { body: { showsRead: index === 0 } })
    expect((await open(ben, message)).status).toBe(200)
  }
  await ben.client.ok(setConversationPreferences, { body: { showsRead: true } })
  return once
}

/** Sends what stays and what vanishes, which the recipient reads or opens. */
async function prepare(mark: string) {
  const { ann, ben, id, say, read } = pair
  const vanishing = async () => {
    const some = Array.from({ length: sentAtOnce }, () => say(ann, mark, randomUUID(), vanishMs))
    return Promise.all(some)
  }
  const kept = [await say(ann, 'stays'), await sendMedia(ann.client, id, someBytes(fileBytes))]
  const once = await openedOnce()
  const gone: Message[] = []
  while (gone.length < texts) gone.push(...(await vanishing()))
  for (let count = 0; count < files; count += 1)
    gone.push(await sendMedia(ann.client, id, someBytes(fileBytes), { vanishMs }))
  for (const message of gone.slice(-1)) await read(ben, message)
  return { kept, gone, once }
}

async function expectGone({ kept, gone, once }: Awaited<ReturnType<typeof prepare>>): Promise<void> {
  const objects = await storedObjects(stack)
  const has = ({ mediaUrl }: Pick<Message, 'mediaUrl'>) =>
    objects.some((name) => name.startsWith(objectOf(mediaUrl)))
  expect(gone.filter(({ mediaUrl }) => mediaUrl).filter(has)).toEqual([])
  expect(kept.filter(({ mediaUrl }) => mediaUrl).map(has)).toEqual([true])
  expect(once.filter(({ file }) => has({ mediaUrl: file }))).toEqual([])
  expect(await pair.mediaOf(once[0])).toBeNull()
}

it(`messaging killed at ${killPoints} points of an expiry leaves nothing of it after a minute, and everything else`, async () => {
  let rounds = 0
  const round = async (killAfterMs?: number) => {
    const mark = randomUUID()
    const prepared = await prepare(mark)
    expect(await isAnywhere(stack, mark)).toBe(true)
    const startedAt = performance.now()
    await pair.passAll(prepared.gone, vanishMs + 60_000)
    await pair.passAll(prepared.once, onceMs + 60_000)
    if (killAfterMs !== undefined) {
      await wait(killAfterMs)
      await stack.service('messaging').kill('SIGKILL')
      await stack.service('messaging').start()
      // What is due is erased before the first answer.
      expect(await isAnywhere(stack, mark)).toBe(false)
    }
    const left = 60_000 - (killAfterMs === undefined ? performance.now() - startedAt : 0)
    await eventually(() => expectGone(prepared), { timeoutMs: left, everyMs: 250 })
    const tookMs = performance.now() - startedAt
    expect(await isAnywhere(stack, mark)).toBe(false)

    const stored = await pair.stored()
    const named = ({ clientMessageId }: Message) =>
      stored.find((row) => row.clientMessageId === clientMessageId)
    for (const message of prepared.kept)
      expect(named(message)).toMatchObject({ content: message.content, mediaUrl: message.mediaUrl })
    for (const message of prepared.gone)
      expect(named(message)).toMatchObject({ content: '', mediaUrl: null, isVanished: true })
    for (const [index, message] of prepared.once.entries())
      expect(named(message)).toMatchObject({
        ...{ content: '', mediaUrl: null, messageType: 'image', isOnce: true },
        open: { isTold: index === 0 },
      })
    // The file that stays is counted, and the one of whose opening the sender is not told.
    rounds += 1
    await eventually(async () => expect(await pair.used(pair.ann)).toBe(rounds * 2 * fileBytes))
    expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, index) => index + 1))
    expect((await get(pair.ben.client, prepared.kept[1]?.mediaUrl ?? '')).status).toBe(200)
    return tookMs
  }

  const undisturbedMs = await round()
  for (let point = 1; point <= killPoints; point += 1) await round((undisturbedMs * point) / (killPoints + 1))
  process.stderr.write(`  the expiry takes ${Math.round(undisturbedMs)} ms undisturbed\n`)
}, 900_000)
