import { toRecord } from '@sumlock/bus/envelope'
import { messageSent } from '@sumlock/contracts/messaging-events'
import { toMessage } from '../domain/message.ts'
import type { MessageRecord } from '../domain/message.ts'

/** The event has the id of its message, so that consumers recognise an event that is published again. */
export function toSentEvent(record: MessageRecord) {
  const { memberIds, isHidden } = record
  const data = { message: toMessage(record), memberIds: [...memberIds], ...(isHidden && { isHidden }) }
  return toRecord(messageSent, data, { source: 'messaging', time: record.createdAt, id: record.messageId })
}
