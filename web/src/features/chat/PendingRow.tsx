import type { OutboxItem } from '@sumlock/sync/ports'
import { useSyncExternalStore } from 'react'
import { QuotationButton } from '../../app/chunks/unlocked.tsx'
import type { ListRowProps } from './ListRow.tsx'
import type { Quotation } from './reply/quotation-of.ts'
import { PendingBubble } from './PendingBubble.tsx'
import { useSession } from '../../page.ts'
import { usePage } from '../../page.ts'
import { forgetEdit } from '../delivery/edit-draft.ts'
import { Reactions } from './Reactions.tsx'
import { waitingReactions } from './reaction-chips.ts'

export interface PendingRowProps extends Pick<ListRowProps, 'id' | 'name' | 'goTo'> {
  item: OutboxItem
  quotation?: Quotation | undefined
}

/**
 * Shows a message that is not stored yet. If it failed because of the partner's new security code, one tap accepts the
 * code and sends the message.
 */
export function PendingRow({ item, quotation, id, name, goTo }: PendingRowProps) {
  const { toastFailure } = usePage().toasts
  const { text, outbox, drafts, userId } = useSession()
  const acts = useSyncExternalStore(outbox.subscribe, () => outbox.acts)
  const { clientMessageId } = item.message
  const target = { by: userId, id: clientMessageId }
  const retry = () => outbox.retry(clientMessageId)
  const needsCode = item.failure?.code === 'keys_changed'
  const acceptAndRetry = async () => {
    try {
      const trust = text.trust(id)
      if (trust.state === 'changed') await text.accept(id, { print: trust.print })
      retry()
    } catch (error) {
      toastFailure('Not sent', error)
    }
  }
  return (
    <>
      <PendingBubble
        item={item}
        quotation={quotation && <QuotationButton quotation={quotation} name={name} onOpen={goTo} />}
        retryLabel={needsCode ? 'Send with the new code' : 'Try again'}
        onRetry={needsCode ? () => void acceptAndRetry() : retry}
        onDiscard={() => {
          outbox.discard(clientMessageId)
          forgetEdit(drafts, { conversationId: item.message.conversationId, name: target })
        }}
      />
      {item.status !== 'failed' && (
        <Reactions {...{ id, name, target }} isOwn reactions={waitingReactions(acts, target)} />
      )}
    </>
  )
}
