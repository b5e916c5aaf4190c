import { memberKey } from '../domain/member.ts'
import type { RememberedMember } from '../domain/member.ts'
import { createFollowedCache } from './followed-cache.ts'
import type { FollowedCacheOptions } from './followed-cache.ts'

export interface MemberMemory {
  /** Resolves with a row that is at most a second old, or with null when the person has no access to the conversation. */
  of(personId: string, conversationId: string): Promise<RememberedMember | null>
  drop(personId: string, conversationId: string): void
}

const capacity = 100_000

/**
 * Caches the part of members' rows that sends need. A missing row is not cached, because the conversation may begin at any
 * time.
 */
export function createMemberMemory(
  options: Omit<FollowedCacheOptions<RememberedMember>, 'capacity'>,
): MemberMemory {
  const cache = createFollowedCache({ capacity, ...options })
  return {
    async of(personId, conversationId) {
      const key = memberKey(personId, conversationId)
      return (await cache.get([key])).get(key) ?? null
    },
    drop: (personId, conversationId) => cache.drop(memberKey(personId, conversationId)),
  }
}
