import { toRecord } from '@sumlock/bus/envelope'
import { messageSent } from '@sumlock/contracts/messaging-events'
import type { Message } from '@sumlock/contracts/messaging-routes'
import { toMessage } from '../domain/message.ts'
import type { MessageRecord } from '../domain/message.ts'
import { onceShownTo } from '../domain/once.ts'

/** Returns the message that is announced. A late announcement must not show again what opened once. */
export function toSentMessage(record: MessageRecord): Message {
  const { isOnce, memberIds, senderId, createdAt } = record
  if (!isOnce) return toMessage(record)
  const recipientId = memberIds.find((id) => id !== senderId) ?? senderId
  return toMessage(onceShownTo(recipientId, record, createdAt))
}

/** The event has the id of its message, so that consumers recognise an event that is published again. */
export function toSentEvent(record: MessageRecord) {
  const { memberIds, isHidden } = record
  const data = { message: toSentMessage(record), memberIds: [...memberIds], ...(isHidden && { isHidden }) }
  return toRecord(messageSent, data, { source: 'messaging', time: record.createdAt, id: record.messageId })
}
