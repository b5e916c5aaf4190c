import type { ReplyTo } from '@sumlock/sync/ports'
import type { CheckedMessage } from '../receiving-rules.ts'

/** Names the message that another one answers. */
export interface Quotation {
  re: ReplyTo
  /** The named message; null if it is not loaded. */
  found: CheckedMessage | null
}

const nameOf = (by: string, id: string) => `${by} ${id}`

/** Returns a function that finds answered messages among those that are loaded. */
export function createQuoting(
  checked: readonly CheckedMessage[],
): (re: ReplyTo | undefined) => Quotation | undefined {
  let byName: Map<string, CheckedMessage> | undefined
  return (re) => {
    if (!re) return undefined
    byName ??= new Map(checked.map((one) => [nameOf(one.message.senderId, one.message.clientMessageId), one]))
    const found = byName.get(nameOf(re.by, re.id))
    return { re, found: found?.message.senderId === re.by ? found : null }
  }
}
