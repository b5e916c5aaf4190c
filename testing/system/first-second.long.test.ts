import { sendMessage } from '@sumlock/contracts/messaging-routes'
import type { Stack } from '@sumlock/dev/product/services'
import { startTestStack } from '../kit/engines.ts'
import { adminPerson } from '../kit/people.ts'
import { seatPairs } from '../kit/seats.ts'
import type { Seat } from '../kit/seats.ts'

const perSecond = 200
const seconds = 2

let stack: Stack
let seats: Seat[]
beforeAll(async () => {
  stack = await startTestStack({ timeouts: 'default' })
  seats = await seatPairs(stack, await adminPerson(stack), 10)
  for (const { person, device } of seats) {
    person.client.keptToken = await person.client.csrfToken()
    device.close()
  }
}, 120_000)
afterAll(() => stack?.stop())

/** Sends at a fixed rate, without waiting for answers; resolves with those that were not stored. */
async function send(): Promise<string[]> {
  const refused: string[] = []
  const sent: Promise<unknown>[] = []
  const startedAt = performance.now()
  for (let count = 0; count < perSecond * seconds;) {
    const due = ((performance.now() - startedAt) / 1000) * perSecond
    for (; count < Math.min(due, perSecond * seconds); count += 1) {
      const { person, conversationId } = seats[count % seats.length] as Seat
      const content = `no. ${count}`
      const answer = person.client.call(sendMessage, { body: { conversationId, content } })
      const note = (text: string) => refused.push(`${Math.round(performance.now() - startedAt)} ms: ${text}`)
      sent.push(
        answer.then(
          ({ status, body }) => status !== 201 && note(`${status} ${JSON.stringify(body)}`),
          (error: unknown) => note(String(error)),
        ),
      )
    }
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  await Promise.all(sent)
  return refused
}

it.each([1, 2, 3])(
  `refuses none of ${perSecond} sends a second from the first ready second on (start no. %i)`,
  async () => {
    await Promise.all(stack.services.map((service) => service.stop()))
    await Promise.all(stack.services.map((service) => service.start()))
    expect(await send()).toEqual([])
  },
  60_000,
)
