import type { CollectedSpan } from '../kit/trace-collector.ts'
import { hopsOf } from './hops.ts'

const span = (
  service: string,
  name: string,
  startedAtMs: number,
  durationMs: number,
  above = '',
): CollectedSpan => ({
  ...{ service, name, startedAtMs, durationMs, traceId: 't', attributes: {} },
  ...{ spanId: name, parentSpanId: above },
})
const trace = [
  span('gateway', 'POST /api/messages', 100, 9),
  span('messaging', 'POST /api/messages', 101, 7),
  span('messaging', 'wait for group commit', 101.5, 2),
  span('messaging', 'group commit', 103.5, 3),
  span('messaging', 'publish hint', 107, 0.5),
  span('messaging', 'publish event', 107, 30),
  span('realtime', 'emit to sockets', 107.25, 0.25, 'publish hint'),
  span('realtime', 'consume messaging.message-sent.v1', 140, 0.5, 'publish event'),
]

it('takes each hop from the spans of a trace', () => {
  expect(Object.values(hopsOf(trace) ?? {})).toEqual([9, 1, 7, 0.5, 2, 3, 0.5, 0.25, 30, 33, 0.25, 7.5])
})

it('leaves out a trace that is not whole', () => {
  for (const missing of trace) expect(hopsOf(trace.filter((one) => one !== missing))).toBeNull()
})
