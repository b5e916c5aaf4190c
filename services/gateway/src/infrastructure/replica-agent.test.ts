import { once } from 'node:events'
import { createServer, request as send } from 'node:http'
import type { IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { idleConnectionMs } from '@sumlock/service-kit/http-exchange'
import { createBoundedServer } from '@sumlock/service-kit/serve'
import { eventually } from '@sumlock/testing/wait'
import { createTargets } from './bulkhead.ts'
import { ReplicaAgent } from './replica-agent.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function startReplica(name: string) {
  const connections = new Set<Socket>()
  const server = createServer((_request, response) => response.end(name)).listen(0, '127.0.0.1')
  server.keepAliveTimeout = 65_000
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  await once(server, 'listening')
  closing.push(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections }
}

function createAgent(urls: readonly string[], idleMs?: number) {
  const targets = createTargets(urls)
  const agent = new ReplicaAgent(targets, 8, idleMs)
  closing.push(() => agent.destroy())
  /** The body of the answer, and the connection it came over. */
  const ask = async (url: string) => {
    const request = send(url, { agent })
    request.end()
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    const { socket } = response
    let text = ''
    for await (const chunk of response) text += String(chunk)
    return { text, socket }
  }
  return { targets, agent, ask }
}

it('does not skip a replica that accepted the connection while this process got no processor time', async () => {
  const [wanted, other] = [await startReplica('wanted'), await startReplica('other')]
  const { targets, agent } = createAgent([wanted.url, other.url])
  const request = send(wanted.url, { agent })
  request.end()
  // The kernel accepts at once; this process sees it only after its time to connect is over.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)
  const [response] = (await once(request, 'response')) as [AsyncIterable<Buffer>]
  let text = ''
  for await (const chunk of response) text += chunk.toString()
  expect(text).toBe('wanted')
  expect(targets.isDown(wanted.url)).toBe(false)
})

it('closes an idle connection before the server does', async () => {
  const replica = await startReplica('replica')
  const { ask } = createAgent([replica.url], 50)
  const { text, socket } = await ask(replica.url)
  expect(text).toBe('replica')
  await eventually(() => expect(socket.destroyed).toBe(true))
  expect(idleConnectionMs).toBeLessThan(createBoundedServer(() => undefined).keepAliveTimeout)
})

it('closes the idle connections to a stopping replica and keeps those to the others', async () => {
  const [stopping, other] = [await startReplica('stopping'), await startReplica('other')]
  const { targets, agent, ask } = createAgent([stopping.url, other.url])
  const [{ socket }] = await Promise.all([ask(stopping.url), ask(stopping.url), ask(other.url)])
  expect(stopping.connections.size).toBe(2)
  agent.leave(socket)
  await eventually(() => expect(stopping.connections.size).toBe(0))
  expect(targets.isDown(stopping.url)).toBe(true)
  expect(other.connections.size).toBe(1)
  expect(targets.isDown(other.url)).toBe(false)
})

it('does not keep the connection to a replica that is marked as down', async () => {
  const replica = await startReplica('replica')
  const { targets, ask } = createAgent([replica.url])
  targets.reportDown(replica.url)
  expect((await ask(replica.url)).text).toBe('replica')
  await eventually(() => expect(replica.connections.size).toBe(0))
})

it('ignores a connection that it did not make', async () => {
  const replica = await startReplica('replica')
  const { targets, agent, ask } = createAgent([replica.url])
  const { socket } = await createAgent([replica.url]).ask(replica.url)
  await ask(replica.url)
  agent.leave(socket)
  expect(targets.isDown(replica.url)).toBe(false)
  expect(replica.connections.size).toBe(2)
})

it('sends a request to another replica when the wanted one cannot be reached, and does not pool that connection', async () => {
  const [wanted, other] = [await startReplica('wanted'), await startReplica('other')]
  const unreachable = 'http://127.0.0.1:9'
  const { targets, ask } = createAgent([unreachable, other.url, wanted.url])
  const { text } = await ask(unreachable)
  expect(['other', 'wanted']).toContain(text)
  expect(targets.isDown(unreachable)).toBe(true)
  await eventually(() => expect(other.connections.size + wanted.connections.size).toBe(0))
})

it('closes the idle connections to replicas that have left the list', async () => {
  const [gone, kept] = [await startReplica('gone'), await startReplica('kept')]
  const { targets, agent, ask } = createAgent([gone.url, kept.url])
  await Promise.all([ask(gone.url), ask(kept.url)])
  targets.replace([kept.url])
  agent.prune()
  await eventually(() => expect(gone.connections.size).toBe(0))
  expect(kept.connections.size).toBe(1)
  // A request that was about to be sent there may still be answered, but its connection is not kept.
  expect((await ask(gone.url)).text).toBe('gone')
  await eventually(() => expect(gone.connections.size).toBe(0))
})
