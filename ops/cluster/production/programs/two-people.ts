import { waitUntil } from '@sumlock/deployment/wait-until'
import { sendMessage } from '@sumlock/contracts/messaging-routes'
import { get, sendMedia, someBytes } from '@sumlock/testing/media'
import { befriend, unlockedPerson } from '@sumlock/testing/people'
import { connect, nextEvent, nextState } from '@sumlock/testing/socket'

// Runs in the cluster, outside the namespace of the product, and reaches it by its public address alone. Prints what it
// asserted as one line of JSON.
const setting = (name: string) => process.env[name] ?? ''
const account = setting('TWILIO_ACCOUNT_SID')
const credentials = `${setting('TWILIO_API_KEY')}:${setting('TWILIO_API_SECRET')}`
const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`

const readCode = (phone: string) =>
  waitUntil(`an SMS to ${phone}`, async () => {
    const url = `https://api.twilio.com/2010-04-01/Accounts/${account}/Messages.json?To=${encodeURIComponent(phone)}`
    const { messages } = (await (await fetch(url, { headers: { authorization } })).json()) as {
      messages: { body: string }[]
    }
    return /\b(\d{6})\b/.exec(messages.at(-1)?.body ?? '')?.[1]
  })

interface Letter {
  to: string[]
  secure: boolean
}

const letterTo = (address: string) =>
  waitUntil(`a letter to ${address}`, async () => {
    const letters = (await (await fetch(setting('LETTERS_URL'))).json()) as Letter[]
    return letters.find(({ to }) => to.includes(address))
  })

async function main(): Promise<void> {
  const edge = { gatewayUrl: setting('PUBLIC_ORIGIN') }
  const ann = await unlockedPerson(edge, { readCode })
  const ben = await unlockedPerson(edge, { readCode })
  const letter = await letterTo(ann.user.email)
  if (!letter.secure) throw new Error('The letter came without TLS.')
  const { id: conversationId } = await befriend(ann, ben)
  const live = connect(ben)
  await nextState(live, ({ connected }) => connected)
  const arrival = nextEvent(live, ({ type }) => type === 'new_message')
  const sentAt = performance.now()
  await ann.client.ok(sendMessage, { body: { conversationId, messageType: 'text', content: 'By TLS.' } })
  const acceptedMs = Math.round(performance.now() - sentAt)
  await arrival
  const arrivedMs = Math.round(performance.now() - sentAt)
  // A free person has one message a day, so the other one sends the image.
  const bytes = someBytes(200_000)
  const { mediaUrl } = await sendMedia(ben.client, conversationId, bytes)
  const read = await get(ann.client, mediaUrl)
  if (!read.bytes.equals(bytes))
    throw new Error(`The image was read with status ${read.status}, or was changed.`)
  live.close()
  process.stdout.write(
    `${JSON.stringify({ username: ann.username, acceptedMs, arrivedMs, imageBytes: bytes.length })}\n`,
  )
  process.exit(0)
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? '') : String(error)}\n`)
  process.exit(1)
})
