import { createHash, randomBytes } from 'node:crypto'
import { requestUpload } from '@sumlock/contracts/media-routes'
import { answerOf, openRequest } from './media.ts'
import { adminPerson, befriend, makePremium, retryUnavailable, unlockedPerson } from './people.ts'
import type { Person } from './people.ts'
import type { RunningStack } from './shared-stack.ts'

export interface Pair {
  from: Person
  to: Person
  conversationId: string
}

/** Makes pairs of people with premium and a conversation. */
export async function premiumPairs(stack: RunningStack, count: number): Promise<Pair[]> {
  const admin = await adminPerson(stack)
  const pairs: Pair[] = []
  while (pairs.length < count) {
    const [from, to] = await Promise.all([unlockedPerson(stack), unlockedPerson(stack)])
    await makePremium(admin, from)
    pairs.push({ from, to, conversationId: (await befriend(from, to)).id })
    for (const { client } of [from, to]) client.keptToken = await client.csrfToken()
  }
  return pairs
}

export const largeBytes = 50_000_000
export const largeBody = randomBytes(largeBytes)

/** Large files are equal except for their first bytes, so that 50 MB are in memory only once. */
const chunksOf = (head: Buffer) => [head, largeBody.subarray(head.length)]

export function hashOfLarge(head: Buffer): string {
  const hash = createHash('sha256')
  for (const chunk of chunksOf(head)) hash.update(chunk)
  return hash.digest('hex')
}

/** Uploads 50 MB. Resolves to the `uploadURL` and the status of the answer. */
export async function uploadLarge(
  { client }: Person,
  head: Buffer,
): Promise<{ url: string; status: number | undefined }> {
  const { uploadURL: url } = await retryUnavailable(() =>
    client.ok(requestUpload, { body: { size: largeBytes } }),
  )
  const sent = openRequest(client, 'PUT', url, { 'content-length': largeBytes })
  for (const chunk of chunksOf(head)) sent.write(chunk)
  sent.end()
  const answer = await answerOf(sent)
  answer?.resume()
  return { url, status: answer?.statusCode }
}

export async function hashOfFile({ client }: Person, url: string): Promise<string> {
  const sent = openRequest(client, 'GET', url)
  sent.end()
  const hash = createHash('sha256')
  for await (const chunk of (await answerOf(sent)) as AsyncIterable<Buffer>) hash.update(chunk)
  return hash.digest('hex')
}
