import type { Sealed } from '@sumlock/contracts/sealed'
import type { AccountStatus } from './entitlement.ts'
import type { MessageRecord } from './message.ts'
import type { SlotRecord } from './slot.ts'

export interface SendMessageInput {
  senderId: string
  conversationId: string
  content: string
  messageType: MessageRecord['messageType']
  mediaUrl: string | undefined
  clientMessageId: string | undefined
  sealed?: Sealed | undefined
}

export interface SentMessage {
  record: MessageRecord
  /** False when this clientMessageId was already stored. */
  isNew: boolean
  isRead: boolean
}

/** A message on its way through the stages. */
export interface Send extends Omit<SendMessageInput, 'clientMessageId'> {
  clientMessageId: string
  otherId: string
  memberIds: readonly string[]
  mediaKey: string | undefined
  /** The time of arrival by `performance.now()`. */
  arrivedMs: number
  /** The entitlements of the two members, or premium that only billing has confirmed. */
  statuses: readonly AccountStatus[]
  /** The free slot that was taken for it. */
  slot?: SlotRecord
}
