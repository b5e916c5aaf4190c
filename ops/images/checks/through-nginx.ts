import { listMessages, sendMessage } from '@sumlock/contracts/messaging-routes'
import { securityHeaders } from '@sumlock/service-kit/security-headers'
import { befriend, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { connect, nextEvent, nextState } from '@sumlock/testing/socket'

/** Not the usual port, so that a running product is not in the way. */
export const origin = 'http://127.0.0.1:8089'

/** Checks that nginx serves the page with the gateway's headers, and forwards API requests to the gateway. */
export async function checkPage(): Promise<void> {
  for (const path of ['/', '/settings', '/index.html', '/manifest.webmanifest', '/none.js', '/.sources']) {
    const answer = await fetch(origin + path)
    for (const [name, value] of Object.entries(securityHeaders({ secure: false })))
      if (answer.headers.get(name) !== value)
        throw new Error(`${path} is answered without the gateway's header ${name}.`)
  }
  const page = await fetch(`${origin}/messaging`)
  const html = await page.text()
  if (page.headers.get('cache-control') !== 'no-store' || !html.includes('<title>Calculator</title>'))
    throw new Error(`/messaging is not the calculator's page: ${html.slice(0, 200)}`)
  const { status } = await fetch(`${origin}/api//user`)
  if (status !== 400)
    throw new Error(`The gateway must refuse a path that is not canonical; the answer was ${status}.`)
}

export interface Conversation {
  id: string
  reader: Person
  send(content: string): Promise<void>
}

/** Registers two people; one sends a message, and the other receives it over the socket and by listing. */
export async function sendMessages(content: string): Promise<Conversation> {
  const [sender, reader] = [
    await unlockedPerson({ gatewayUrl: origin }),
    await unlockedPerson({ gatewayUrl: origin }),
  ]
  const { id } = await befriend(sender, reader)
  const send = async (text: string) => {
    await sender.client.ok(sendMessage, { body: { conversationId: id, content: text } })
  }
  const live = connect(reader)
  try {
    await nextState(live, ({ connected }) => connected)
    const received = nextEvent(live, (event) => event.type === 'new_message')
    await send(content)
    await received
  } finally {
    live.close()
  }
  const conversation = { id, reader, send }
  await readAgain(conversation, [content])
  return conversation
}

/** Throws unless the reader, still signed in and unlocked, finds exactly these messages. */
export async function readAgain({ id, reader }: Conversation, expected: readonly string[]): Promise<void> {
  const messages = await reader.client.ok(listMessages, { params: { id } })
  const contents = messages.map((message) => message.content)
  if (JSON.stringify(contents) !== JSON.stringify(expected))
    throw new Error(
      `The conversation holds ${JSON.stringify(contents)} instead of ${JSON.stringify(expected)}.`,
    )
}
