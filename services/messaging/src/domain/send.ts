import type { VanishMs } from '@sumlock/contracts/primitives'
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
  vanishMs?: VanishMs | undefined
  isOnce?: true | undefined
}

export interface SentMessage {
  record: MessageRecord
  /** The value is false when a message with this clientMessageId was stored before. */
  isNew: boolean
  isRead: boolean
}

/** Each stage of a send reads this state, and some stages add to it. */
export interface Send extends Omit<SendMessageInput, 'clientMessageId'> {
  clientMessageId: string
  otherId: string
  memberIds: readonly string[]
  mediaKey: string | undefined
  /** The send arrived at this time of `performance.now()`. */
  arrivedMs: number
  /**
   * Contains the statuses of both members. When only billing has confirmed premium, it contains just the status with that
   * premium.
   */
  statuses: readonly AccountStatus[]
  /** A send without premium takes this free slot of the day. */
  slot?: SlotRecord
}
