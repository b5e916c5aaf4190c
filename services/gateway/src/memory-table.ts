import { maxInFlight } from './app.ts'
import { maxHeaderBytes } from './connections.ts'
import { bodyBounds } from './pipeline/buffer-body.ts'
import { streamBounds } from './pipeline/limit-streams.ts'
import { unreadAnswerBounds } from './pipeline/proxy.ts'

const kilobyte = 1024
const megabyte = 1024 * kilobyte

interface Row {
  what: string
  /** How many at most; of bytes: 1. */
  count: number
  bytes: number
}

/** What strangers can make the gateway hold at once, each row at its largest, and what it needs before they come. */
const memoryTable = (maxConnections: number): readonly Row[] => [
  // Measured with 50 messages a second (testing/system/floods.full.test.ts): 98 MB.
  { what: 'the process under load', count: 1, bytes: 120 * megabyte },
  // Measured: 4,100 that have sent one request each add 22 kB each, headers included.
  { what: 'connections', count: maxConnections, bytes: 20 * kilobyte },
  { what: 'headers', count: maxConnections, bytes: maxHeaderBytes },
  { what: 'bodies of people', count: 1, bytes: bodyBounds.people.total },
  { what: 'bodies of webhooks', count: 1, bytes: bodyBounds.webhooks.total },
  // Node keeps 64 kB of a body that nobody reads yet.
  { what: 'bodies whose session is asked for', count: maxInFlight, bytes: 64 * kilobyte },
  { what: 'uploads and downloads', count: streamBounds.total, bytes: 0.4 * megabyte },
  // Two buffers of 64 kB, and what the socket has not taken.
  { what: 'unread answers', count: unreadAnswerBounds.total, bytes: 0.25 * megabyte },
]

/** The sum of the table, bytes. */
export const memoryAtMost = (maxConnections: number): number =>
  memoryTable(maxConnections).reduce((sum, { count, bytes }) => sum + count * bytes, 0)
