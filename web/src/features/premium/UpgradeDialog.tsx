import { useState } from 'react'
import { sentenceOf } from '../../api/base-api.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { Notice } from '../../shared/ui/Notice.tsx'
import { Benefits } from './Benefits.tsx'
import { PaymentNote } from './PaymentNote.tsx'
import { useGetOfferQuery, useUpgradeMutation } from './premium-api.ts'
import { PremiumUntilDialog } from './PremiumUntilDialog.tsx'
import { usePage } from '../../page.ts'

/** Buys a year of premium: at once in the sandbox, otherwise on the provider's page. */
export function UpgradeDialog({ onClose }: { onClose: () => void }) {
  const { location } = usePage()
  const { toast } = usePage().toasts
  const { data: offer } = useGetOfferQuery()
  const [upgrade, { isLoading }] = useUpgradeMutation()
  const [failure, setFailure] = useState<string | null>(null)
  const [until, setUntil] = useState<string | null>(null)
  const buy = async () => {
    setFailure(null)
    try {
      const answer = await upgrade().unwrap()
      if ('checkoutUrl' in answer) return location.leaveFor(answer.checkoutUrl)
      toast({ title: 'Upgraded to Premium', description: 'You now have unlimited messaging!' })
      setUntil(answer.subscriptionExpiresAt)
    } catch (error) {
      setFailure(sentenceOf(error, 'The upgrade did not work. Please try again.'))
    }
  }
  if (until !== null) return <PremiumUntilDialog until={until} onClose={onClose} />
  return (
    <Dialog open onOpenChange={onClose} title="Upgrade to Premium">
      <div className="space-y-4">
        <Benefits />
        <PaymentNote />
        {failure && <Notice kind="error">{failure}</Notice>}
        <Button
          className="w-full"
          isBusy={isLoading}
          disabled={offer?.provider === null}
          onClick={() => void buy()}
        >
          {offer?.provider === 'stripe' ? 'Continue to payment' : 'Upgrade'}
        </Button>
        <Button variant="secondary" className="w-full" onClick={onClose}>
          Not now
        </Button>
      </div>
    </Dialog>
  )
}
