import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import type { ISocketFactoryArgs } from 'kafkajs'
import { eventually } from '@sumlock/testing/wait'
import { createFetchSockets } from './fetch-sockets.ts'

/** A request of Kafka's protocol without a body; `text` is its only content. */
function request(apiKey: number, text: string): Buffer {
  const data = Buffer.concat([Buffer.alloc(6), Buffer.from(text)])
  data.writeInt32BE(data.length - 4)
  data.writeInt16BE(apiKey, 4)
  return data
}
const fetchOf = (text: string) => request(1, text)
const heartbeatOf = (text: string) => request(12, text)

it('a fetch goes at once and the next ones 200 ms apart, while other requests do not wait', async () => {
  const heard: { text: string; atMs: number }[] = []
  const server = createServer((socket) => {
    socket.on('data', (data) => {
      for (const text of data.toString().match(/<\w+>/g) ?? []) heard.push({ text, atMs: performance.now() })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { socketFactory, interrupt } = createFetchSockets()
  const connected = Promise.withResolvers<void>()
  const socket = socketFactory({
    host: '127.0.0.1',
    port,
    onConnect: connected.resolve,
  } as unknown as ISocketFactoryArgs)
  socket.on('error', () => undefined)
  await connected.promise

  socket.write(fetchOf('<first>'))
  socket.write(fetchOf('<second>'))
  socket.write(heartbeatOf('<heartbeat>'))
  await eventually(() =>
    expect(heard.map(({ text }) => text)).toEqual(['<first>', '<heartbeat>', '<second>']),
  )
  const [first, , second] = heard
  expect((second?.atMs ?? 0) - (first?.atMs ?? 0)).toBeGreaterThan(150)

  // One that still waits is never sent after the stop.
  socket.write(fetchOf('<third>'))
  interrupt()
  await new Promise((resolve) => server.close(resolve))
  expect(socket.destroyed).toBe(true)
  expect(heard).toHaveLength(3)
})
