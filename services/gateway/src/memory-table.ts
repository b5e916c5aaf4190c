import { maxHeaderBytes } from './connections.ts'
import { rememberedSessions } from './infrastructure/session-cache.ts'
import { maxLookups } from './pipeline/authenticate.ts'
import { bodyBounds } from './pipeline/buffer-body.ts'
import { rememberedTokens } from './pipeline/csrf.ts'
import { streamBounds } from './pipeline/limit-streams.ts'
import { unreadAnswerBounds } from './pipeline/proxy.ts'
import { unreadFileBounds } from './static-web.ts'

const kilobyte = 1024
const megabyte = 1024 * kilobyte

interface Row {
  what: string
  /** The largest number; 1 for a row that is a sum of bytes. */
  count: number
  bytes: number
}

/** The memory that strangers can make the gateway use, each row at its largest, and the memory it needs without them. */
const memoryTable = (maxConnections: number): readonly Row[] => [
  // Measured with 50 messages a second (testing/system/floods.full.test.ts): 185 MB.
  { what: 'the process under load', count: 1, bytes: 200 * megabyte },
  // Measured: each of 4,000 connections with one request adds 14 kB, and 22 kB right after its headers were read.
  { what: 'connections', count: maxConnections, bytes: 14 * kilobyte },
  { what: 'headers', count: maxConnections, bytes: maxHeaderBytes },
  // Measured: 1 kB and 0.45 kB are in use, and the heap keeps half as much again.
  { what: 'remembered sessions', count: rememberedSessions, bytes: 1.5 * kilobyte },
  { what: 'remembered CSRF tokens', count: rememberedTokens, bytes: 0.7 * kilobyte },
  { what: 'bodies of people', count: 1, bytes: bodyBounds.people.total },
  { what: 'bodies of webhooks', count: 1, bytes: bodyBounds.webhooks.total },
  // Node keeps 64 kB of a body that nobody reads yet.
  { what: 'bodies whose session is asked for', count: maxLookups, bytes: 64 * kilobyte },
  // Measured (docs/benchmarks.md, "What strangers can make the gateway hold"): 380 kB of an upload, 250 of a download.
  { what: 'uploads and downloads', count: streamBounds.total, bytes: 0.4 * megabyte },
  // Measured: 340 kB.
  { what: 'unread answers', count: unreadAnswerBounds.total, bytes: 340 * kilobyte },
  // Measured: 240 kB. Only a gateway that serves the page itself has such answers.
  { what: 'unread files', count: unreadFileBounds.total, bytes: 240 * kilobyte },
]

/** The sum of the table, bytes. */
export const memoryAtMost = (maxConnections: number): number =>
  memoryTable(maxConnections).reduce((sum, { count, bytes }) => sum + count * bytes, 0)
