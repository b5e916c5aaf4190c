import { asTraceparent, carriedRequest, carryingHeaders, runFor } from './request-context.ts'

const [trace, span] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
const good = `00-${trace}-${span}-01`

describe('a traceparent', () => {
  it('is accepted when it has version 00 and the sampled flag', () => {
    expect([good, `00-${trace}-${span}-03`].map(asTraceparent)).toEqual([good, `00-${trace}-${span}-03`])
  })

  it.each([
    `00-${trace}-${span}-00`,
    `01-${trace}-${span}-01`,
    `00-${'0'.repeat(32)}-${span}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${trace}-${span}-01-01`,
    `00-${trace}ff-${span}-01`,
    `${good}\n`,
    [good, good],
    '',
    undefined,
  ])('is ignored when it is %j', (value) => {
    expect(asTraceparent(value)).toBeUndefined()
  })
})

it('a request context is carried in headers and read back unchanged', () => {
  const request = { requestId: 'request-1', traceparent: good }
  const headers = runFor(request, () => carryingHeaders())
  expect(carriedRequest(headers)).toEqual(request)
  const asKafkaHas = Object.fromEntries(
    Object.entries(headers).map(([name, text]) => [name, Buffer.from(text)]),
  )
  expect(carriedRequest(asKafkaHas)).toEqual(request)
})

it('a request context is undefined outside of requests', () => {
  expect(carryingHeaders()).toEqual({})
  expect(carriedRequest({})).toBeUndefined()
  expect(carriedRequest({ 'x-request-id': 'a line\nof its own' })).toBeUndefined()
})
