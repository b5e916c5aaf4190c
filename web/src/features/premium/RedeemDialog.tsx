import { useState } from 'react'
import { faultOf } from '../../shared/lib/field-rules.ts'
import { useForm } from '../../shared/lib/use-form.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { CodeField } from './CodeField.tsx'
import { loadCodeFields } from './load-code-fields.ts'
import { useRedeemCodeMutation } from './premium-api.ts'
import { PremiumUntilDialog } from './PremiumUntilDialog.tsx'
import { usePage } from '../../page.ts'

const missing = 'Please enter upgrade code'

/** Redeems an upgrade code, which a gift's mail contains. */
export function RedeemDialog({ onClose }: { onClose: () => void }) {
  const { toast } = usePage().toasts
  const [redeem] = useRedeemCodeMutation()
  const [until, setUntil] = useState<string | null>(null)
  const { props, field, isBusy } = useForm({
    fields: ['upgradeCode'],
    load: loadCodeFields,
    check: ({ upgradeCode }, rules) => ({
      upgradeCode: upgradeCode.trim() === '' ? missing : faultOf(rules.upgradeCode, upgradeCode),
    }),
    onFault: (sentence) => {
      if (sentence === missing)
        toast({ title: 'Code required', description: missing, variant: 'destructive' })
    },
    send: async (input) => {
      const { subscriptionExpiresAt } = await redeem(input).unwrap()
      toast({ title: 'Code redeemed successfully', description: 'You now have premium access!' })
      setUntil(subscriptionExpiresAt ?? '')
    },
    refused: (sentence) => ({ upgradeCode: sentence }),
    fallback: 'The code could not be redeemed. Please try again.',
  })
  if (until !== null) return <PremiumUntilDialog until={until} onClose={onClose} />
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Redeem Upgrade Code"
      description="Enter the code from your gift mail. It adds a year of premium to what you have."
    >
      <form className="space-y-4" {...props}>
        <CodeField label="Upgrade code" placeholder="XXXX-XXXX-XXXX-XXXX" {...field('upgradeCode')} />
        <Button type="submit" className="w-full" isBusy={isBusy}>
          Redeem
        </Button>
        <Button variant="secondary" className="w-full" onClick={onClose}>
          Cancel
        </Button>
      </form>
    </Dialog>
  )
}
