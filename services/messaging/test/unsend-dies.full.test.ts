import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Message } from '@sumlock/contracts/messaging-routes'
import { waitUntil } from '@sumlock/deployment/wait-until'
import type { Stack } from '@sumlock/dev/product/services'
import { killPoints } from '@sumlock/testing/config'
import { startTestStack } from '@sumlock/testing/engines'
import { get, sendMedia, someBytes, storedObjects } from '@sumlock/testing/media'
import { eventually } from '@sumlock/testing/wait'
import { isAnywhere, twoPeople } from './acts.ts'

const pairs = 4

type Pair = Awaited<ReturnType<typeof twoPeople>>
type Named = Pick<Message, 'senderId' | 'clientMessageId'>

let stack: Stack
let friends: Pair[]
beforeAll(async () => {
  stack = await startTestStack({ replicas: { messaging: 1, realtime: 0, notify: 0 } })
  friends = await Promise.all(Array.from({ length: pairs }, () => twoPeople(stack)))
})
afterAll(() => stack?.stop())

const untilAnswered = (what: string, call: () => Promise<{ status: number }>) =>
  waitUntil(what, async () => [200, 201].includes((await call()).status), { timeoutMs: 60_000 })

const objectOf = (url: string | null) => url?.slice(-24) ?? ''

/** Stores what stays and what is taken back, of which one message is only on its way when it is taken back. */
async function prepare({ ann, id, say }: Pair, mark: string) {
  const kept = [await say(ann, 'stays'), await sendMedia(ann.client, id, someBytes(1000))]
  const text = await say(ann, `text ${mark}`)
  const file = await sendMedia(ann.client, id, someBytes(1000))
  const onItsWay: Named = { senderId: ann.user.id, clientMessageId: randomUUID() }
  return { kept, file, taken: [text, file, onItsWay], onItsWay }
}

/** Takes everything back. The client repeats each call until it has an answer. */
const takeBack = (
  { ann, unsend, say }: Pair,
  { taken, onItsWay }: Awaited<ReturnType<typeof prepare>>,
  mark: string,
) =>
  Promise.all([
    ...taken.map((message) => untilAnswered('the unsend', () => unsend(ann, message))),
    untilAnswered('the late original', async () => {
      await say(ann, `late ${mark}`, onItsWay.clientMessageId)
      return { status: 200 }
    }),
  ])

async function expectTakenBack(prepared: readonly Awaited<ReturnType<typeof prepare>>[], mark: string) {
  const objects = await storedObjects(stack)
  const has = (url: string | null) => objects.some((name) => name.startsWith(objectOf(url)))
  expect(await isAnywhere(stack, mark)).toBe(false)
  for (const { kept, file } of prepared) {
    expect(has(file.mediaUrl)).toBe(false)
    expect(has(kept[1]?.mediaUrl ?? null)).toBe(true)
  }
}

it(`messaging killed at ${killPoints} points of unsends leaves nothing of them after a minute, and everything else`, async () => {
  const round = async (killAfterMs?: number) => {
    const mark = randomUUID()
    const prepared = await Promise.all(friends.map((pair) => prepare(pair, mark)))
    expect(await isAnywhere(stack, mark)).toBe(true)
    const startedAt = performance.now()
    const taking = Promise.all(friends.map((pair, at) => takeBack(pair, prepared[at] as never, mark)))
    if (killAfterMs !== undefined) {
      await wait(killAfterMs)
      await stack.service('messaging').kill('SIGKILL')
      await stack.service('messaging').start()
    }
    const restartedAt = performance.now()
    await taking
    const tookMs = performance.now() - startedAt
    await eventually(() => expectTakenBack(prepared, mark), {
      timeoutMs: 60_000 - (performance.now() - restartedAt),
      everyMs: 250,
    })
    for (const [at, { ben, stored }] of friends.entries()) {
      const { kept, taken } = prepared[at] as (typeof prepared)[number]
      const rows = await stored()
      const named = (one: Named) =>
        rows.find(({ clientMessageId }) => clientMessageId === one.clientMessageId)
      for (const message of kept)
        expect(named(message)).toMatchObject({ content: message.content, mediaUrl: message.mediaUrl })
      for (const message of taken) expect(named(message)).toMatchObject({ content: '', isUnsent: true })
      expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1))
      const versions = rows.flatMap(({ version }) => version ?? []).sort((left, right) => left - right)
      expect(versions).toEqual(versions.map((_, index) => index + 1))
      expect((await get(ben.client, kept[1]?.mediaUrl ?? '')).status).toBe(200)
    }
    return tookMs
  }

  const undisturbedMs = await round()
  for (let point = 1; point <= killPoints; point += 1) await round((undisturbedMs * point) / (killPoints + 1))
  process.stderr.write(`  the unsends take ${Math.round(undisturbedMs)} ms undisturbed\n`)
}, 300_000)
