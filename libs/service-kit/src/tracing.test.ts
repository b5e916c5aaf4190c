import { runFor } from './request-context.ts'
import { sampled } from './tracing.ts'
import type { Span } from './tracing.ts'

const parent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
const recorded: Span = { traceparent: parent, end: () => undefined }
const start = sampled(0, () => recorded)

it('samples by ratio at the edge, with and without a traceparent in the request', () => {
  expect(start('request', { isEdge: true }).traceparent).toBeUndefined()
  expect(start('request', { isEdge: true, parent }).traceparent).toBeUndefined()
  expect(sampled(1, () => recorded)('request', { isEdge: true }).traceparent).toBe(parent)
})

it('records a span behind the edge exactly if its parent is recorded', () => {
  expect(start('query').traceparent).toBeUndefined()
  expect(start('query', { parent }).traceparent).toBe(parent)
  expect(runFor({ requestId: 'request-1', traceparent: parent }, () => start('query')).traceparent).toBe(
    parent,
  )
  expect(runFor({ requestId: 'request-1' }, () => start('query')).traceparent).toBeUndefined()
})
