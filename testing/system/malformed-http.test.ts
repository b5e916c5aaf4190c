import { malformedRequests, slowRequests } from '../kit/bad-input/malformed-http.ts'
import { bounds } from '../kit/bounds.ts'
import { rawExchange } from '../kit/raw-exchange.ts'
import type { RawExchange } from '../kit/raw-exchange.ts'
import { sharedStack } from '../kit/shared-stack.ts'

const malformed = Object.entries(malformedRequests)
const slow = Object.entries({ ...slowRequests, 'a connection without a request': { bytes: '', drip: [] } })

let gatewayUrl: string
let malformedExchanges: RawExchange[]
let slowExchanges: RawExchange[]

beforeAll(async () => {
  gatewayUrl = (await sharedStack()).gatewayUrl
  const withinMs = bounds.answerMs + 500
  ;[malformedExchanges, slowExchanges] = await Promise.all([
    Promise.all(malformed.map(([, bytes]) => rawExchange(gatewayUrl, bytes, { withinMs }))),
    Promise.all(
      slow.map(([, { bytes, drip }]) => rawExchange(gatewayUrl, bytes, { withinMs: 20_000, drip })),
    ),
  ])
})

const numbered = (cases: readonly [name: string, unknown][]) =>
  cases.map(([name], index) => [name, index] as const)
const noRefusals = (statuses: readonly number[]) => statuses.filter((status) => status < 400 || status >= 500)

it.each(numbered(malformed))(
  'answers malformed HTTP at most once, never with a success, and closes the connection: %s',
  (_name, index) => {
    const { statuses, tookMs, closed } = malformedExchanges[index] as RawExchange
    expect(statuses.length).toBeLessThanOrEqual(1)
    expect(noRefusals(statuses)).toEqual([])
    expect(closed).toBe(true)
    expect(tookMs).toBeLessThan(bounds.answerMs)
  },
)

it.each(numbered(slow))('closes the connection of a request that never ends: %s', (_name, index) => {
  const { statuses, tookMs, closed } = slowExchanges[index] as RawExchange
  expect(noRefusals(statuses)).toEqual([])
  expect(closed).toBe(true)
  expect(tookMs).toBeLessThan(12_500)
})

it('still answers after malformed and endless requests', async () => {
  expect((await fetch(`${gatewayUrl}/api/csrf-token`)).status).toBe(200)
})
