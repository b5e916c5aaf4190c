import type { Message } from '@sumlock/contracts/messaging-routes'
import type { Page } from '../../../page.ts'
import type { ListChange, Preview } from '../../conversations/conversation-list.ts'
import { changeList } from '../../conversations/messaging-api.ts'
import type { Session } from '../../conversations/open-session.ts'
import { createOpenings } from '../../media/once/openings.ts'
import type { Openings } from '../../media/once/openings.ts'

/** Returns the messages that this session has opened and that open once. */
export function onceOf({ client, store }: Page, { media, views, vanishing }: Session): Openings {
  const replace = (message: Message) => {
    views.get(message.conversationId)?.take(message)
    store.dispatch(changeList(messageOpened(message)))
  }
  media.late.once ??= createOpenings({ client, viewed: media.viewed, vanishing, loss: media.loss, replace })
  return media.late.once
}

/** Applies the opening of a message to the preview that shows it. */
const messageOpened =
  ({ conversationId, seq, content, mediaUrl }: Message): ListChange =>
  (list) => {
    const opened = ({ sealed: _sealed, look: _look, ...preview }: Preview): Preview => ({
      ...{ ...preview, content, mediaUrl },
      isOpened: true,
    })
    return {
      list: list.map((row) =>
        row.id === conversationId && row.lastMessage?.seq === seq
          ? { ...row, lastMessage: opened(row.lastMessage) }
          : row,
      ),
      isCertain: true,
    }
  }
