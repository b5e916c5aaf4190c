import { deriveKey } from './aes.ts'
import type { Key } from './aes.ts'
import { fields } from './bytes.ts'
import { agree } from './own-key.ts'
import type { KeyOwner, OwnKey, PublicKey } from './own-key.ts'

const inOrder = <T extends KeyOwner>(one: T, other: T): [T, T] =>
  one.userId < other.userId ? [one, other] : [other, one]

/** Derives the key of one conversation. Both members derive the same key, so it is never stored or sent. */
export async function conversationKey(conversationId: string, own: OwnKey, partner: PublicKey): Promise<Key> {
  const pair = inOrder<PublicKey>(own, partner)
  const info = pair.flatMap(({ userId, epoch, pub }) => [userId, epoch, pub])
  return deriveKey(
    await agree(own.privateKey, partner.pub),
    fields('conversation/v1', conversationId, ...info),
  )
}

const groups = 12
const bytesPerGroup = 5

/**
 * Returns twelve groups of five digits. Both members see the same digits unless the server gave one of them a false
 * key.
 */
export async function safetyCode(one: PublicKey, other: PublicKey): Promise<string[]> {
  const [a, b] = inOrder(one, other)
  const text = fields('safety/v1', a.userId, b.userId, a.pub, b.pub)
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-512', text))
  return Array.from({ length: groups }, (_, group) => {
    const bytes = digest.subarray(group * bytesPerGroup, (group + 1) * bytesPerGroup)
    const number = bytes.reduce((sum, byte) => sum * 256 + byte, 0)
    return String(number % 100_000).padStart(5, '0')
  })
}
