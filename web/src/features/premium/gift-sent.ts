import type { Toasts } from '../../shared/ui/toasts.ts'
import type { Gift } from './premium-api.ts'

export const giftSent = ({ toast }: Toasts, { upgradeCode, recipientEmail }: Gift): void =>
  toast({
    title: 'Gift sent successfully',
    description: `Upgrade code ${upgradeCode} sent to ${recipientEmail}`,
  })
