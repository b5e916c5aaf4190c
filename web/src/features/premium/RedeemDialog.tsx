import { decimalDigits } from '@sumlock/contracts/decimal-digits'
import { useRef, useState } from 'react'
import type { FormEvent } from 'react'
import { sentenceOf } from '../../api/base-api.ts'
import { faultOf, noRules, useRules } from '../../shared/lib/field-rules.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { TextField } from '../../shared/ui/TextField.tsx'
import { loadCodeFields } from './load-code-fields.ts'
import { useRedeemCodeMutation } from './premium-api.ts'
import { PremiumUntilDialog } from './PremiumUntilDialog.tsx'
import { usePage } from '../../page.ts'

/** Redeems the code of a gift. */
export function RedeemDialog({ onClose }: { onClose: () => void }) {
  const { toast } = usePage().toasts
  const [redeem, { isLoading }] = useRedeemCodeMutation()
  const rules = useRules(loadCodeFields)
  const [code, setCode] = useState('')
  const [fault, setFault] = useState<string>()
  const [until, setUntil] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const refuse = (sentence: string) => {
    setFault(sentence)
    field.current?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isLoading) return
    if (code.trim() === '') {
      toast({ title: 'Code required', description: 'Please enter upgrade code', variant: 'destructive' })
      return refuse('Please enter upgrade code')
    }
    const loaded = await rules.get()
    const invalid = loaded ? faultOf(loaded.upgradeCode, code) : noRules
    if (invalid) return refuse(invalid)
    try {
      const { subscriptionExpiresAt } = await redeem({ upgradeCode: code }).unwrap()
      toast({ title: 'Code redeemed successfully', description: 'You now have premium access!' })
      setUntil(subscriptionExpiresAt ?? '')
    } catch (error) {
      refuse(sentenceOf(error, 'The code could not be redeemed. Please try again.'))
    }
  }
  if (until !== null) return <PremiumUntilDialog until={until} onClose={onClose} />
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Redeem Upgrade Code"
      description="Enter the code from your gift mail. It adds a year of premium to what you have."
    >
      <form className="space-y-4" noValidate onSubmit={(event) => void submit(event)}>
        <TextField
          ref={field}
          label="Upgrade code"
          placeholder="XXXX-XXXX-XXXX-XXXX"
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          value={code}
          error={fault}
          onChange={({ target }) => {
            setCode(decimalDigits(target.value).toUpperCase())
            setFault(undefined)
          }}
        />
        <Button type="submit" className="w-full" isBusy={isLoading}>
          Redeem
        </Button>
        <Button variant="secondary" className="w-full" onClick={onClose}>
          Cancel
        </Button>
      </form>
    </Dialog>
  )
}
