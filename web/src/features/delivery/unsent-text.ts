import type { OutboxEntry, ReplyTo } from '@sumlock/sync/ports'
import type { FileStub } from '../media/lost-files.ts'

/** Holds the unsent messages, acts and drafts of one account. */
export interface UnsentText {
  readonly items: readonly OutboxEntry[]
  /** The keys are the ids of the conversations. */
  readonly drafts: Readonly<Record<string, string>>
  /** The drafts of these conversations answer these messages. */
  readonly replies?: Readonly<Record<string, ReplyTo>>
  /** Describes files that are not sent yet. */
  readonly files?: readonly FileStub[]
}

export const nothing: UnsentText = { items: [], drafts: {} }

export const isNothing = ({ items, drafts, replies = {}, files = [] }: UnsentText): boolean =>
  items.length + files.length + Object.keys({ ...drafts, ...replies }).length === 0

export function toUnsentText(value: unknown): UnsentText {
  return typeof value === 'object' && value !== null && 'items' in value ? (value as UnsentText) : nothing
}
