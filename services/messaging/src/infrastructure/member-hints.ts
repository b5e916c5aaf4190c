import { memberChannel, toMemberHint } from '@sumlock/contracts/redis-channels'
import type { ServerEvent } from '@sumlock/contracts/socket'
import { currentRequest } from '@sumlock/service-kit/request-context'
import type { RequestContext } from '@sumlock/service-kit/request-context'
import type { HintPublisher } from '@sumlock/service-kit/hint-publisher'

export interface MemberHints {
  /** Tells the sockets of these people; true once Redis has taken it for all of them. */
  tell(userIds: readonly string[], event: ServerEvent): Promise<boolean>
  /** The same, for an event that is serialised already. The tab of its `author`, one of these people, is not told. */
  tellJson(
    userIds: readonly string[],
    eventJson: string,
    request?: RequestContext,
    author?: Author,
  ): Promise<boolean>
}

export interface Author {
  userId: string
  tabId: string | undefined
}

export function createMemberHints({ publish }: HintPublisher, namespace: string): MemberHints {
  const tellJson: MemberHints['tellJson'] = async (
    userIds,
    eventJson,
    request = currentRequest(),
    author = undefined,
  ) => {
    const requestJson = request && JSON.stringify(request)
    const taken = await Promise.all(
      userIds.map((userId) => {
        const exceptTab = userId === author?.userId ? author.tabId : undefined
        return publish(memberChannel(namespace, userId), toMemberHint(eventJson, requestJson, exceptTab))
      }),
    )
    return taken.every(Boolean)
  }
  return { tellJson, tell: (userIds, event) => tellJson(userIds, JSON.stringify(event)) }
}
