import { toast } from '../../shared/ui/toast.ts'
import type { Gift } from './premium-api.ts'

export const giftSent = ({ upgradeCode, recipientEmail }: Gift): void =>
  toast({
    title: 'Gift sent successfully',
    description: `Upgrade code ${upgradeCode} sent to ${recipientEmail}`,
  })
