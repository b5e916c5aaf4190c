import type { OutboxItem } from '@sumlock/sync/ports'

/** Unsent messages and drafts of one account. */
export interface UnsentText {
  readonly items: readonly OutboxItem[]
  /** By conversation. */
  readonly drafts: Readonly<Record<string, string>>
}

export const nothing: UnsentText = { items: [], drafts: {} }

export const isNothing = ({ items, drafts }: UnsentText): boolean =>
  items.length === 0 && Object.keys(drafts).length === 0

export function toUnsentText(value: unknown): UnsentText {
  return typeof value === 'object' && value !== null && 'items' in value ? (value as UnsentText) : nothing
}

const idOf = ({ message }: OutboxItem) => message.clientMessageId

/** The first text wins where both have the same message, or a draft of the same conversation. */
export function mergeTexts(text: UnsentText, other: UnsentText): UnsentText {
  const known = new Set(text.items.map(idOf))
  return {
    items: [...other.items.filter((item) => !known.has(idOf(item))), ...text.items],
    drafts: { ...other.drafts, ...text.drafts },
  }
}
