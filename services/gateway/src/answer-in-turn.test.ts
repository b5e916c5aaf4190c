import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { eventually } from '@sumlock/testing/wait'
import { answerInTurn } from './answer-in-turn.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A connection that has sent three requests at once; the test answers them. */
async function pipeline() {
  const handled: ServerResponse[] = []
  let arrived = 0
  let ended = 0
  const server = createServer(answerInTurn((_request, response) => handled.push(response)))
  server.prependListener('request', (_request, response: ServerResponse) => {
    arrived += 1
    response.once('close', () => (ended += 1))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close().closeAllConnections())
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let text = ''
  client.on('data', (bytes) => (text += String(bytes)))
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(3))
  await eventually(() => expect(arrived).toBe(3))
  return { client, handled, ended: () => ended, bodies: () => text.match(/answer \d/g) ?? [] }
}

it('a pipelined request is handled once the one before it was answered', async () => {
  const { handled, bodies } = await pipeline()
  for (const number of [1, 2, 3]) {
    await eventually(() => expect(handled).toHaveLength(number))
    handled[number - 1]?.end(`answer ${number}`)
  }
  await eventually(() => expect(bodies()).toEqual(['answer 1', 'answer 2', 'answer 3']))
})

it('a pipelined request is never handled when its connection ends before its turn', async () => {
  const { client, handled, ended } = await pipeline()
  client.destroy()
  await eventually(() => expect(ended()).toBe(3))
  expect(handled).toHaveLength(1)
})
