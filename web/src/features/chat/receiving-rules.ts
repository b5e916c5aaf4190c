import type { Message } from '@sumlock/contracts/messaging-routes'
import type { Reaction } from '@sumlock/sync/shown-conversation'
import { lookOf } from '../sealed/look.ts'
import type { Look } from '../sealed/look.ts'
import { writtenTimes } from './written-times.ts'

/** Holds a message with what the receiving rules have found. */
export interface CheckedMessage {
  message: Message
  look: Look
  /**
   * Whether the message was sealed with an older key than an earlier message of the same person. It may then be written
   * by someone else.
   */
  isFormer: boolean
  /** Whether the sender had seen a previous message that is missing here. */
  isAfterGap: boolean
  /**
   * If the message waited for long before it was stored, this is the time of writing by the server's clock (ms),
   * otherwise null.
   */
  writtenAtMs: number | null
}

export interface ReceivingInput {
  messages: readonly Message[]
  /**
   * Whether `messages` begins with the very first message of the conversation and the server withholds none. Only then
   * can a missing message be detected.
   */
  isWhole: boolean
}

/**
 * Returns the message without reactions that were sealed with an older key than a message that the person had sent before. An
 * empty message has none, because nothing would show that they are not sealed.
 */
function withoutFormer(message: Message, newestKey: ReadonlyMap<string, number>): Message {
  const isEmpty = message.content === '' && message.mediaUrl === null
  const isFormer = ({ by, sealed }: Reaction) =>
    isEmpty || (sealed !== undefined && sealed.from < (newestKey.get(by) ?? 0))
  if (!message.reactions?.some(isFormer)) return message
  return { ...message, reactions: message.reactions.filter((one) => !isFormer(one)) }
}

const nameOf = ({ senderId, clientMessageId }: Message): string => `${senderId} ${clientMessageId}`

/**
 * Detects what a server could do with sealed messages without opening them: repeat, remove or delay one, or use a
 * former key. Of a repeated message only the first copy is returned.
 */
export function checkReceived({ messages, isWhole }: ReceivingInput): CheckedMessage[] {
  const seen = new Set<string>()
  const newestKey = new Map<string, number>()
  const checked: CheckedMessage[] = []
  let expectedSeq = 1
  const opened = messages.map((message) => ({ message, seenLook: lookOf(message) }))
  const written = writtenTimes(
    opened.map(({ message: { senderId, createdAt, edit }, seenLook }) => ({
      ...{ senderId, storedAtMs: Date.parse(createdAt) },
      // An edit states its own time.
      atMs: seenLook.state === 'open' && !edit ? seenLook.body.at : null,
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
    // An edit may be sealed with a newer key than the messages after it.
    if (sealed && !isFormer && !message.edit) newestKey.set(senderId, sealed.from)
    const body = seenLook.state === 'open' ? seenLook.body : null
    const after = body?.after
    checked.push({
      message: withoutFormer(message, newestKey),
      look: seenLook,
      isFormer,
      isAfterGap: isComplete && after !== undefined && !seen.has(`${after.by} ${after.id}`),
      writtenAtMs: written[index] ?? null,
    })
    seen.add(name)
  }
  return checked
}
