import { socketPath } from '@sumlock/contracts/socket'
import { io } from 'socket.io-client'
import type { Person } from '../people.ts'

/** Connects a person's socket and sends the messages, each with and without asking for an acknowledgement. */
export async function talkToServer(
  { client, user }: Pick<Person, 'client' | 'user'>,
  messages: readonly [string, ...unknown[]][],
): Promise<{ answers: unknown[]; close(): void }> {
  const socket = io(client.gatewayUrl, {
    path: socketPath,
    transports: ['websocket'],
    query: { userId: user.id },
    forceNew: true,
    reconnection: false,
    extraHeaders: { origin: client.origin, cookie: client.cookieHeader },
  })
  await new Promise<void>((resolve, reject) => socket.on('connect', resolve).on('connect_error', reject))
  const answers: unknown[] = []
  for (const [name, ...content] of messages) {
    socket.emit(name, ...content)
    socket.emit(name, ...content, (answer: unknown) => answers.push(answer))
  }
  return { answers, close: () => socket.disconnect() }
}
