import type { ClientRequest } from 'node:http'
import { requestUpload } from '@sumlock/contracts/media-routes'
import type { Stack } from '@sumlock/dev/product/services'
import { startTestStack } from '@sumlock/testing/engines'
import { answerOf, get, openRequest, put, someBytes } from '@sumlock/testing/media'
import { unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { scrape, sumOf } from '@sumlock/testing/scrape'
import { eventually } from '@sumlock/testing/wait'

const permits = 4

let stack: Stack
const open: ClientRequest[] = []
beforeAll(async () => {
  stack = await startTestStack({
    replicas: { billing: 0, notify: 0, realtime: 0 },
    env: { gateway: { UPSTREAM_MAX_STREAMS: String(permits) } },
  })
})
afterEach(() => {
  for (const sent of open.splice(0)) sent.destroy()
})
afterAll(() => stack?.stop())

const addressFor = async ({ client }: Person) => (await client.ok(requestUpload)).uploadURL

/** An upload that stays open, because most of its bytes are never sent. */
async function trickle(person: Person, sentBytes = 1) {
  const length = 100_000
  const sent = openRequest(person.client, 'PUT', await addressFor(person), { 'content-length': length })
  open.push(sent)
  const state = { isOver: false }
  void answerOf(sent).then(() => (state.isOver = true))
  sent.write(Buffer.alloc(sentBytes))
  return state
}

async function trickles(person: Person, sentBytes: readonly number[]) {
  const uploads = []
  for (const bytes of sentBytes) uploads.push(await trickle(person, bytes))
  return uploads
}

const ended = async () => sumOf(await scrape(stack.service('gateway')), 'streams_ended_total')

it('ends one upload of a person who holds every permit, for the upload and the download of another', async () => {
  const [ann, ben] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
  let url = ''
  const endedBefore = await ended()
  const held = await trickles(ann, [60_000, 60_000, 1, 60_000])
  // An upload that has not reached the gateway yet takes no permit, so Ben tries again.
  await eventually(async () => {
    url = await addressFor(ben)
    expect(await put(ben.client, url, someBytes(5000))).toMatchObject({ status: 200 })
    expect(held.map(({ isOver }) => isOver)).toEqual([false, false, true, false])
  })
  await trickle(ann, 60_000)
  await eventually(async () => {
    expect((await get(ben.client, new URL(url).pathname)).status).toBe(200)
    expect((await ended()) - endedBefore).toBe(2)
  })
}, 60_000)
