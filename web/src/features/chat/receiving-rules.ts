import type { Message } from '@sumlock/contracts/messaging-routes'
import { lookOf } from '../sealed/look.ts'
import type { Look } from '../sealed/look.ts'
import { writtenTimes } from './written-times.ts'

/** A message with what the receiving rules say of it. */
export interface CheckedMessage {
  message: Message
  look: Look
  /** It was sealed with an older key than one before it of the same person: it may not be theirs. */
  isFormer: boolean
  /** The message that its sender had seen before it is not here. */
  isAfterGap: boolean
  /** When it was written by the server's clock, if it was waiting for long (ms); else null. */
  writtenAtMs: number | null
}

export interface ReceivingInput {
  messages: readonly Message[]
  /**
   * Whether `messages` begins with the very first one and nothing of it was taken away: only then can a message be known
   * to be missing.
   */
  isWhole: boolean
}

const nameOf = ({ senderId, clientMessageId }: Message): string => `${senderId} ${clientMessageId}`

/**
 * What a server could do with sealed messages without opening them: repeat one, take one away, deliver one later, or use a
 * former key. Of repeated messages the first stays.
 */
export function checkReceived({ messages, isWhole }: ReceivingInput): CheckedMessage[] {
  const seen = new Set<string>()
  const newestKey = new Map<string, number>()
  const checked: CheckedMessage[] = []
  let expectedSeq = 1
  const opened = messages.map((message) => ({ message, seenLook: lookOf(message) }))
  const written = writtenTimes(
    opened.map(({ message: { senderId, createdAt }, seenLook }) => ({
      ...{ senderId, storedAtMs: Date.parse(createdAt) },
      atMs: seenLook.state === 'open' ? seenLook.body.at : null,
    })),
  )
  for (const [index, { message, seenLook }] of opened.entries()) {
    const name = nameOf(message)
    const isComplete = isWhole && message.seq === expectedSeq
    expectedSeq = isComplete ? message.seq + 1 : -1
    if (seen.has(name)) continue
    const { sealed, senderId } = message
    const known = newestKey.get(senderId) ?? 0
    const isFormer = sealed !== undefined && sealed.from < known
    if (sealed && !isFormer) newestKey.set(senderId, sealed.from)
    const body = seenLook.state === 'open' ? seenLook.body : null
    const after = body?.after
    checked.push({
      message,
      look: seenLook,
      isFormer,
      isAfterGap: isComplete && after !== undefined && !seen.has(`${after.by} ${after.id}`),
      writtenAtMs: written[index] ?? null,
    })
    seen.add(name)
  }
  return checked
}
