import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Message } from '@sumlock/contracts/messaging-routes'
import type { Stack } from '@sumlock/dev/product/services'
import { killPoints } from '@sumlock/testing/config'
import { startTestStack } from '@sumlock/testing/engines'
import { get, sendMedia, someBytes, storedObjects } from '@sumlock/testing/media'
import { eventually } from '@sumlock/testing/wait'
import { isAnywhere, twoPeople } from './acts.ts'

/** One command empties fewer messages. */
const texts = 520
const files = 5
const sentAtOnce = 40
const vanishMs = 300_000

type Pair = Awaited<ReturnType<typeof twoPeople>>

let stack: Stack
let pair: Pair
beforeAll(async () => {
  stack = await startTestStack({ replicas: { messaging: 1, realtime: 0, notify: 0 } })
  pair = await twoPeople(stack)
})
afterAll(() => stack?.stop())

const objectOf = (url: string | null) => url?.slice(-24) ?? ''

/** Sends what stays and what vanishes, which the recipient reads. */
async function prepare(mark: string) {
  const { ann, ben, id, say, read } = pair
  const vanishing = async () => {
    const some = Array.from({ length: sentAtOnce }, () => say(ann, mark, randomUUID(), vanishMs))
    return Promise.all(some)
  }
  const kept = [await say(ann, 'stays'), await sendMedia(ann.client, id, someBytes(1000))]
  const gone: Message[] = []
  while (gone.length < texts) gone.push(...(await vanishing()))
  for (let count = 0; count < files; count += 1)
    gone.push(await sendMedia(ann.client, id, someBytes(1000), { vanishMs }))
  for (const message of gone.slice(-1)) await read(ben, message)
  return { kept, gone }
}

async function expectGone({ kept, gone }: Awaited<ReturnType<typeof prepare>>): Promise<void> {
  const objects = await storedObjects(stack)
  const has = ({ mediaUrl }: Message) => objects.some((name) => name.startsWith(objectOf(mediaUrl)))
  expect(gone.filter(({ mediaUrl }) => mediaUrl).filter(has)).toEqual([])
  expect(kept.filter(({ mediaUrl }) => mediaUrl).map(has)).toEqual([true])
}

it(`messaging killed at ${killPoints} points of an expiry leaves nothing of it after a minute, and everything else`, async () => {
  const round = async (killAfterMs?: number) => {
    const mark = randomUUID()
    const prepared = await prepare(mark)
    expect(await isAnywhere(stack, mark)).toBe(true)
    const startedAt = performance.now()
    await pair.passAll(prepared.gone, vanishMs + 60_000)
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
    expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, index) => index + 1))
    expect((await get(pair.ben.client, prepared.kept[1]?.mediaUrl ?? '')).status).toBe(200)
    return tookMs
  }

  const undisturbedMs = await round()
  for (let point = 1; point <= killPoints; point += 1) await round((undisturbedMs * point) / (killPoints + 1))
  process.stderr.write(`  the expiry takes ${Math.round(undisturbedMs)} ms undisturbed\n`)
}, 600_000)
