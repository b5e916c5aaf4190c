import type { MessageRecord } from '../domain/message.ts'

type Field = 'unpublished' | 'isVanished'

/** Returns the update that removes the content of a message, its media, its edits and its time, for whatever reason. */
export const emptying = ($set: Partial<MessageRecord>, ...more: readonly Field[]) => ({
  $set: { ...$set, content: '', messageType: 'text' as const, mediaUrl: null },
  $unset: {
    ...{ sealed: '' as const, edit: '' as const, reactions: '' as const, own: '' as const },
    ...{ vanishMs: '' as const, vanishAt: '' as const, isUnseen: '' as const },
    ...{ isOnce: '' as const, open: '' as const },
    ...Object.fromEntries(more.map((name) => [name, '' as const])),
  },
})
