import { createLru } from '@sumlock/service-kit/lru'

export interface MemberCache {
  /** Null when there is no such conversation. */
  of(conversationId: string): Promise<readonly string[] | null>
}

const capacity = 50_000
const rememberedMs = 600_000

/**
 * Members change only when one of them is purged, two weeks after the last send to that person was possible. A missing
 * conversation is not remembered, because it may be started later.
 */
export function createMemberCache(
  read: (conversationId: string) => Promise<readonly string[] | null>,
  nowMs: () => number,
): MemberCache {
  const known = createLru<string, { memberIds: readonly string[]; readAtMs: number }>(capacity)
  return {
    async of(conversationId) {
      const readAtMs = nowMs()
      const cached = known.get(conversationId)
      if (cached && readAtMs - cached.readAtMs < rememberedMs) return cached.memberIds
      const memberIds = await read(conversationId)
      if (!memberIds) return null
      known.set(conversationId, { memberIds, readAtMs })
      return memberIds
    },
  }
}
