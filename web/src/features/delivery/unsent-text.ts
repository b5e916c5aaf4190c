import type { OutboxItem } from '@sumlock/sync/ports'

/** Holds the unsent messages and drafts of one account. */
export interface UnsentText {
  readonly items: readonly OutboxItem[]
  /** The keys are the ids of the conversations. */
  readonly drafts: Readonly<Record<string, string>>
}

export const nothing: UnsentText = { items: [], drafts: {} }

export const isNothing = ({ items, drafts }: UnsentText): boolean =>
  items.length === 0 && Object.keys(drafts).length === 0

export function toUnsentText(value: unknown): UnsentText {
  return typeof value === 'object' && value !== null && 'items' in value ? (value as UnsentText) : nothing
}
