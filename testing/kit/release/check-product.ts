import { getUser, login, verifyNumericPassword } from '@sumlock/contracts/auth-routes'
import { listMessages, sendMessage } from '@sumlock/contracts/messaging-routes'
import { Client } from '@sumlock/deployment/api-client'
import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import type { LastRelease, ReleasedPerson } from './last-release.ts'

async function unlocked(gatewayUrl: string, { username, password, pin }: ReleasedPerson): Promise<Client> {
  const client = new Client({ gatewayUrl })
  await client.ok(login, { body: { username, password } })
  await client.ok(verifyNumericPassword, { body: { numericPassword: pin } })
  return client
}

/**
 * What both people of the dump can do on it: sign in, unlock with their old PINs, read the old messages,
 * send and receive a new one. Returns the contents of the conversation afterwards.
 */
export async function checkProduct(
  gatewayUrl: string,
  release: LastRelease,
  text: string,
): Promise<string[]> {
  const ann = await unlocked(gatewayUrl, release.ann)
  const bob = await unlocked(gatewayUrl, release.bob)
  const user = await ann.ok(getUser)
  expect(isWholeUser(user) && user.subscriptionExpiresAt).toBe(release.premiumUntil)
  const { conversationId } = release
  const contents = async () => {
    const messages = await bob.ok(listMessages, { params: { id: conversationId }, query: {} })
    return messages.map(({ content }) => content)
  }
  const before = await contents()
  expect(before.slice(0, release.messages.length)).toEqual(release.messages)
  await ann.ok(sendMessage, { body: { conversationId, messageType: 'text', content: text } })
  expect(await contents()).toEqual([...before, text])
  return contents()
}
