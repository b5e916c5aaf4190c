import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTargets } from './bulkhead.ts'
import { ReplicaAgent } from './replica-agent.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function replica(answer: string): Promise<string> {
  const server = createServer((_request, response) => response.end(answer)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('does not pass over a replica to which it was connected while it had no processor itself', async () => {
  const [wanted, other] = [await replica('wanted'), await replica('other')]
  const targets = createTargets([wanted, other])
  const agent = new ReplicaAgent(targets, 1)
  closing.push(() => agent.destroy())
  const request = send(wanted, { agent })
  request.end()
  // The kernel connects at once; this process looks when its time to connect is over.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
  const [response] = (await once(request, 'response')) as [AsyncIterable<Buffer>]
  let text = ''
  for await (const chunk of response) text += chunk.toString()
  expect(text).toBe('wanted')
  expect(targets.isDown(wanted)).toBe(false)
})
