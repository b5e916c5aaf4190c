import { memberChannel } from '@sumlock/contracts/redis-channels'
import type { ServerEvent } from '@sumlock/contracts/socket'
import { currentRequest } from '@sumlock/service-kit/request-context'
import type { RequestContext } from '@sumlock/service-kit/request-context'
import type { HintPublisher } from '@sumlock/service-kit/hint-publisher'

export interface MemberHints {
  /** Tells the sockets of these people; true once Redis has taken it for all of them. */
  tell(userIds: readonly string[], event: ServerEvent): Promise<boolean>
  /** The same, for an event that is serialised already. */
  tellJson(userIds: readonly string[], eventJson: string, request?: RequestContext): Promise<boolean>
}

export function createMemberHints({ publish }: HintPublisher, namespace: string): MemberHints {
  const tellJson: MemberHints['tellJson'] = async (userIds, eventJson, request = currentRequest()) => {
    const from = request ? `,"request":${JSON.stringify(request)}` : ''
    const text = `{"event":${eventJson}${from}}`
    const taken = await Promise.all(userIds.map((userId) => publish(memberChannel(namespace, userId), text)))
    return taken.every(Boolean)
  }
  return { tellJson, tell: (userIds, event) => tellJson(userIds, JSON.stringify(event)) }
}
