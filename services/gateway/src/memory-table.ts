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
  /** There are at most this many. The value is 1 where `bytes` is a sum already. */
  count: number
  bytes: number
}

/**
 * Lists the memory that strangers can make the gateway use, each row at its largest, and the memory that the gateway needs
 * without them.
 */
const memoryTable = (maxConnections: number): readonly Row[] => [
  // The process used 185 MB in a measurement with 50 messages a second (testing/system/floods.full.test.ts).
  { what: 'the process under load', count: 1, bytes: 200 * megabyte },
  // In a measurement, each of 4,000 connections with one request added 14 kB, and 22 kB right after its headers were read.
  { what: 'connections', count: maxConnections, bytes: 14 * kilobyte },
  { what: 'headers', count: maxConnections, bytes: maxHeaderBytes },
  // In a measurement, a session took 1 kB and a token 0.45 kB, and the heap kept half as much again.
  { what: 'remembered sessions', count: rememberedSessions, bytes: 1.5 * kilobyte },
  { what: 'remembered CSRF tokens', count: rememberedTokens, bytes: 0.7 * kilobyte },
  { what: 'bodies of people', count: 1, bytes: bodyBounds.people.total },
  { what: 'bodies of webhooks', count: 1, bytes: bodyBounds.webhooks.total },
  // Node keeps 64 kB of a body that waits for auth's answer and is not read yet.
  { what: 'bodies whose session is asked for', count: maxLookups, bytes: 64 * kilobyte },
  // In a measurement, an upload took 380 kB and a download 250 kB (docs/benchmarks.md, "What strangers can make the gateway hold").
  { what: 'uploads and downloads', count: streamBounds.total, bytes: 0.4 * megabyte },
  // In a measurement, an unread answer took 340 kB.
  { what: 'unread answers', count: unreadAnswerBounds.total, bytes: 340 * kilobyte },
  // In a measurement, an unread file took 240 kB. Only a gateway that serves the web client itself has unread files.
  { what: 'unread files', count: unreadFileBounds.total, bytes: 240 * kilobyte },
]

/** Returns the sum of the table in bytes. */
export const memoryAtMost = (maxConnections: number): number =>
  memoryTable(maxConnections).reduce((sum, { count, bytes }) => sum + count * bytes, 0)
