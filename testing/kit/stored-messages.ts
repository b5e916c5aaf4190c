import { withDatabase } from './database.ts'
import { publishedCounts } from './events.ts'
import type { NumberedWriters } from './numbered-writers.ts'
import type { Seat } from './seats.ts'
import { eventually } from './wait.ts'
import type { RunningStack } from './shared-stack.ts'

/** Tests look at these fields of a stored message. */
export interface StoredMessage {
  messageId: string
  conversationId: string
  senderId: string
  seq: number
  clientMessageId: string
  content: string
  createdAt: Date
  unpublished?: true
}

/** Returns all stored messages, ordered by conversation and sequence number. */
export const storedMessages = (stack: RunningStack): Promise<StoredMessage[]> =>
  withDatabase(stack, 'messaging', (database) =>
    database.collection('messages').find<StoredMessage>({}).sort({ _id: 1 }).toArray(),
  )

/** Resolves to all stored messages, once every one of them is published. */
export const allPublished = (
  stack: RunningStack,
  waiting: { timeoutMs: number; everyMs?: number },
): Promise<StoredMessage[]> =>
  eventually(async () => {
    const stored = await storedMessages(stack)
    // Only a few are compared, because comparing thousands on each try would slow down the publishing.
    expect(stored.filter(({ unpublished }) => unpublished).slice(0, 5)).toEqual([])
    return stored
  }, waiting)

/** Returns the messages on a person's screen, in the shape of `expectedScreen`. */
export const screenOf = ({ view }: Seat): unknown[] =>
  view.getState().messages.map(({ seq, id, content }) => [seq, id, content])

/** Returns the stored messages that the screen of this seat must show. */
export const expectedScreen = (stored: readonly StoredMessage[], { conversationId }: Seat): unknown[] =>
  stored
    .filter((message) => message.conversationId === conversationId)
    .map(({ seq, messageId, content }) => [seq, messageId, content])

/** Returns the conversations whose messages are not numbered 1 to n without gaps. */
export function gapsIn(stored: readonly StoredMessage[]): string[] {
  const byConversation = Map.groupBy(stored, ({ conversationId }) => conversationId)
  return [...byConversation]
    .filter(([, messages]) => messages.some(({ seq }, index) => seq !== index + 1))
    .map(([id, messages]) => `${id}: ${messages.map(({ seq }) => seq).join(' ')}`)
}

/**
 * Expects that everything that was written is stored once, without gaps and in its writer's order, is published, and is
 * on both screens.
 */
export async function expectAllWritten(
  stack: RunningStack,
  seats: readonly Seat[],
  { written, acknowledged }: Pick<NumberedWriters, 'written' | 'acknowledged'>,
): Promise<void> {
  const stored = await allPublished(stack, { timeoutMs: 60_000, everyMs: 250 })
  expect(stored).toHaveLength(written)
  expect(new Set(stored.map(({ clientMessageId }) => clientMessageId)).size).toBe(written)
  const storedIds = new Set(stored.map(({ messageId }) => messageId))
  expect(acknowledged.filter((id) => !storedIds.has(id))).toEqual([])
  expect(gapsIn(stored)).toEqual([])
  for (const seat of seats) {
    const own = stored.filter(({ senderId }) => senderId === seat.person.user.id)
    expect(own.map(({ content }) => Number(content.split('/')[1]))).toEqual(own.map((_, index) => index + 1))
    await eventually(() => expect(screenOf(seat)).toEqual(expectedScreen(stored, seat)), {
      timeoutMs: 45_000,
    })
  }
  const published = await publishedCounts(stack)
  expect(stored.filter(({ messageId }) => !published.has(messageId))).toEqual([])
}
