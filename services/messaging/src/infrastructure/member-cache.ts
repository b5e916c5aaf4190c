import { createLru } from '@sumlock/service-kit/lru'

export interface MemberCache {
  /** Null when there is no such conversation. */
  of(conversationId: string): Promise<readonly string[] | null>
}

const capacity = 50_000

/** Members never change, so they are read once. A missing conversation is not cached, because it may be started later. */
export function createMemberCache(
  read: (conversationId: string) => Promise<readonly string[] | null>,
): MemberCache {
  const known = createLru<string, readonly string[]>(capacity)
  return {
    async of(conversationId) {
      const cached = known.get(conversationId)
      if (cached) return cached
      const memberIds = await read(conversationId)
      if (!memberIds) return null
      known.set(conversationId, memberIds)
      return memberIds
    },
  }
}
