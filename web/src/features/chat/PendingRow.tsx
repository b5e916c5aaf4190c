import type { OutboxItem } from '@sumlock/sync/ports'
import { PendingBubble } from './PendingBubble.tsx'
import { useSession } from '../../page.ts'
import { usePage } from '../../page.ts'

export interface PendingRowProps {
  item: OutboxItem
  id: string
}

/**
 * Shows a message that is not stored yet. If it failed because of the partner's new security code, one tap accepts the
 * code and sends the message.
 */
export function PendingRow({ item, id }: PendingRowProps) {
  const { toastFailure } = usePage().toasts
  const { text, outbox } = useSession()
  const { clientMessageId } = item.message
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
    <PendingBubble
      item={item}
      retryLabel={needsCode ? 'Send with the new code' : 'Try again'}
      onRetry={needsCode ? () => void acceptAndRetry() : retry}
      onDiscard={() => outbox.discard(clientMessageId)}
    />
  )
}
