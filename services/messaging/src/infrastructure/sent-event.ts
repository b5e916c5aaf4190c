import { toRecord } from '@sumlock/bus/envelope'
import { messageSent } from '@sumlock/contracts/messaging-events'
import type { Message } from '@sumlock/contracts/messaging-routes'
import { toMessage } from '../domain/message.ts'
import type { MessageRecord } from '../domain/message.ts'
import { onceShownTo } from '../domain/once.ts'
import { isOver, vanished } from '../domain/vanishing.ts'

/** Returns the message that is announced. A late announcement must not show again what opened once or has vanished. */
export function toSentMessage(record: MessageRecord, now: Date): Message {
  const { isOnce, memberIds, senderId } = record
  const recipientId = memberIds.find((id) => id !== senderId) ?? senderId
  if (isOnce) return toMessage(onceShownTo(recipientId, record, now))
  return toMessage(isOver(recipientId, record, now) ? vanished(record) : record)
}

/** The event has the id of its message, so that consumers recognise an event that is published again. */
export function toSentEvent(record: MessageRecord, now: Date) {
  const { memberIds, isHidden } = record
  const data = {
    message: toSentMessage(record, now),
    memberIds: [...memberIds],
    ...(isHidden && { isHidden }),
  }
  return toRecord(messageSent, data, { source: 'messaging', time: record.createdAt, id: record.messageId })
}
