import type { OutgoingAct, SyncFailure } from '@sumlock/sync/ports'
import type { Page } from '../../page.ts'
import type { Session } from './open-session.ts'

const titleOf = (act: OutgoingAct): string => {
  if (act.act === 'unsend') return 'Not deleted'
  if (act.act === 'edit') return 'Not edited'
  return act.content === undefined ? 'Reaction not removed' : 'Reaction not sent'
}

/**
 * Says in one sentence that the server has refused an act, and fetches the message as it is. The text of an edit goes
 * back to the composer.
 */
export function reportRefused(
  { toasts }: Pick<Page, 'toasts'>,
  { views, drafts }: Pick<Session, 'views' | 'drafts'>,
  act: OutgoingAct,
  failure: SyncFailure,
): void {
  const { conversationId } = act
  views.get(conversationId)?.onFocus()
  // What was written about a deleted message is deleted with it.
  if (act.act === 'edit' && failure.code !== 'message_unsent')
    drafts.put(conversationId, [drafts.get(conversationId), act.content].filter(Boolean).join('\n'))
  toasts.toast({
    title: titleOf(act),
    description: failure.message,
    variant: 'destructive',
  })
}
