import { memberChannel } from '@sumlock/contracts/redis-channels'
import type { MemberHint } from '@sumlock/contracts/redis-channels'
import type { ServerEvent } from '@sumlock/contracts/socket'
import { currentRequest } from '@sumlock/service-kit/request-context'
import type { RequestContext } from '@sumlock/service-kit/request-context'
import type { HintPublisher } from '@sumlock/service-kit/hint-publisher'

export interface MemberHints {
  /**
   * Publishes an event through Redis to the sockets of these people. Resolves with true if Redis accepted it for all of
   * them.
   */
  tell(userIds: readonly string[], event: ServerEvent, request?: RequestContext): Promise<boolean>
}

export function createMemberHints({ publish }: HintPublisher, namespace: string): MemberHints {
  return {
    async tell(userIds, event, request = currentRequest()) {
      const text = JSON.stringify({ event, request } satisfies MemberHint)
      const taken = await Promise.all(
        userIds.map((userId) => publish(memberChannel(namespace, userId), text)),
      )
      return taken.every(Boolean)
    },
  }
}
