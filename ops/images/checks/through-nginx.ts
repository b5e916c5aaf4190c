import { listMessages, sendMessage } from '@sumlock/contracts/messaging-routes'
import { securityHeaders } from '@sumlock/service-kit/security-headers'
import { befriend, unlockedPerson } from '@sumlock/testing/people'
import type { Person } from '@sumlock/testing/people'
import { connect, nextEvent, nextState } from '@sumlock/testing/socket'

/** Where the web image listens, in this machine's network. */
export const webPort = 8080
export const door = `http://127.0.0.1:${webPort}`

/** Whether nginx serves the page with the gateway's headers, and hands on what is the gateway's. */
export async function checkPage(): Promise<void> {
  for (const path of ['/', '/settings', '/index.html', '/manifest.webmanifest', '/none.js', '/.sources']) {
    const answer = await fetch(door + path)
    for (const [name, value] of Object.entries(securityHeaders({ secure: false })))
      if (answer.headers.get(name) !== value)
        throw new Error(`${path} is answered without the gateway's ${name}.`)
  }
  const page = await fetch(`${door}/messaging`)
  const html = await page.text()
  if (page.headers.get('cache-control') !== 'no-store' || !html.includes('<title>Calculator</title>'))
    throw new Error(`/messaging is not the calculator's page: ${html.slice(0, 200)}`)
  const { status } = await fetch(`${door}/api//user`)
  if (status !== 400)
    throw new Error(`A path that is not canonical was answered with ${status} and not by the gateway.`)
}

export interface Sent {
  reader: Person
  conversationId: string
  content: string
}

/** Two people register, find each other, and one hears live what the other sends. */
export async function sendOne(content: string): Promise<Sent> {
  const stack = { gatewayUrl: door }
  const [ada, ben] = [await unlockedPerson(stack), await unlockedPerson(stack)]
  const { id: conversationId } = await befriend(ada, ben)
  const live = connect(ben)
  try {
    await nextState(live, ({ connected }) => connected)
    const heard = nextEvent(live, (event) => event.type === 'new_message')
    await ada.client.ok(sendMessage, { body: { conversationId, content } })
    await heard
  } finally {
    live.close()
  }
  const sent = { reader: ben, conversationId, content }
  await readAgain(sent)
  return sent
}

/** The reader, still signed in and unlocked, finds that message and no other. */
export async function readAgain({ reader, conversationId, content }: Sent): Promise<void> {
  const messages = await reader.client.ok(listMessages, { params: { id: conversationId } })
  const contents = messages.map((message) => message.content)
  if (contents.length !== 1 || contents[0] !== content)
    throw new Error(`The conversation holds ${JSON.stringify(contents)} and not the one message sent.`)
}
