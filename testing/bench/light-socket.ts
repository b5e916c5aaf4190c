import type { Message } from '@sumlock/contracts/messaging-routes'
import type { ServerEvent } from '@sumlock/contracts/socket'
import { socketPath } from '@sumlock/contracts/socket'
import type { Person } from '../kit/people.ts'

const [ping, pong, connected, refused, event] = ['2', '3', '40', '44', '42'] as const
const connectWithinMs = 10_000

/**
 * Listens to a person's messages as Socket.IO sends them, with as little work as possible: the generator shares its
 * processors with what it measures. Messages of the person's own are left out.
 */
export function listenTo(
  { client, user }: Pick<Person, 'client' | 'user'>,
  onMessage: (message: Message) => void,
): Promise<{ close(): void }> {
  const query = new URLSearchParams({ EIO: '4', transport: 'websocket', userId: user.id })
  const url = `${client.gatewayUrl.replace('http', 'ws')}${socketPath}/?${query.toString()}`
  const socket = new WebSocket(url, { headers: { cookie: client.cookieHeader, origin: client.origin } })
  const own = `"senderId":"${user.id}"`

  return new Promise((resolve, reject) => {
    const giveUp = (reason: string) => {
      clearTimeout(timer)
      socket.close()
      reject(new Error(`A socket of the load generator did not connect: ${reason}. See the log of realtime.`))
    }
    const timer = setTimeout(() => giveUp(`nothing came within ${connectWithinMs} ms`), connectWithinMs)
    socket.addEventListener('error', () => giveUp('the connection broke'))
    socket.addEventListener('close', () => giveUp('it was closed'))
    socket.addEventListener('message', ({ data }) => {
      const text = String(data)
      if (text.startsWith(event)) {
        if (text.includes(own)) return
        const [, said] = JSON.parse(text.slice(event.length)) as [string, ServerEvent]
        if (said.type === 'new_message') onMessage(said.data)
      } else if (text === ping) socket.send(pong)
      else if (text.startsWith('0')) socket.send(connected)
      else if (text.startsWith(refused)) giveUp(text.slice(refused.length))
      else if (text.startsWith(connected)) {
        clearTimeout(timer)
        resolve({ close: () => socket.close() })
      }
    })
  })
}
