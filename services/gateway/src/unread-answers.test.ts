import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@sumlock/testing/wait'
import { startGateway } from './test-support/start-gateway.ts'

/** The system holds less than this of an unread answer; the system and the gateway together hold more. */
const size = 240 * 1024
const sessionCookie = 'c'.repeat(43)

let folder: string
let gateway: Awaited<ReturnType<typeof startGateway>>
let readers: Socket[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unread-'))
  await writeFile(join(folder, 'large.js'), Buffer.alloc(4 * size))
  gateway = await startGateway({ permits: 100, webRoot: folder, socketPath: join(folder, 'socket') })
  gateway.auth.unlockedUntilMs = Date.now() + 60_000
  gateway.service.answer = JSON.stringify('x'.repeat(size - 2))
})
afterEach(async () => {
  for (const reader of readers) reader.destroy()
  readers = []
  gateway.close()
  await rm(folder, { recursive: true })
})

/** Sends a request and reads nothing of the answer. */
function askUnread(path: string): void {
  const reader = connect(gateway.origin)
  reader.on('error', () => undefined).pause()
  reader.write(`GET ${path} HTTP/1.1\r\nhost: x\r\ncookie: sid=${sessionCookie}\r\n\r\n`)
  readers.push(reader)
}

/** Resolves to the number of remaining connections once this many were cut off. */
async function openAfterCutting(count: number): Promise<unknown> {
  await eventually(
    async () => {
      const ended = await gateway.metrics.registry.getSingleMetric('streams_ended_total')?.get()
      expect(ended?.values).toMatchObject([{ labels: { reason: 'unread' }, value: count }])
    },
    { timeoutMs: 4000 },
  )
  return gateway.open()
}

it('the gateway keeps 16 answers that a person does not read, though their service has handed them over', async () => {
  for (let count = 0; count < 40; count += 1) askUnread('/api/conversations')
  expect(await openAfterCutting(24)).toBe(16)
})

it('the gateway keeps 64 files that an address does not read', async () => {
  for (let count = 0; count < 80; count += 1) askUnread('/large.js')
  expect(await openAfterCutting(16)).toBe(64)
})
