import { limits } from '@sumlock/contracts/limits'
import { useState } from 'react'
import { faultOf, loadAccountFields } from '../../shared/lib/field-rules.ts'
import { useForm } from '../../shared/lib/use-form.ts'
import { lengthOf } from '../../shared/lib/text-length.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { Notice } from '../../shared/ui/Notice.tsx'
import { LimitedArea } from '../../shared/ui/LimitedArea.tsx'
import { TextField } from '../../shared/ui/TextField.tsx'
import { giftSent } from './gift-sent.ts'
import { CodeBlock } from './CodeBlock.tsx'
import { PaymentNote } from './PaymentNote.tsx'
import { useGetOfferQuery, useGiftPremiumMutation } from './premium-api.ts'
import type { Gift } from './premium-api.ts'
import { usePage } from '../../page.ts'

const missing = 'Please enter recipient email'

/** Buys a year of premium for another person, who gets the code by mail. */
export function GiftDialog({ onClose }: { onClose: () => void }) {
  const [sent, setSent] = useState<Gift | null>(null)
  if (sent)
    return (
      <Dialog open onOpenChange={onClose} title="Your gift is on its way">
        <SentGift gift={sent} onClose={onClose} />
      </Dialog>
    )
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Gift Premium Access"
      description="A year of premium for someone else. We mail them a code with your message."
    >
      <GiftForm onSent={setSent} onClose={onClose} />
    </Dialog>
  )
}

export function SentGift({ gift, onClose }: { gift: Gift; onClose: () => void }) {
  return (
    <div className="space-y-4">
      <p role="status" className="wrap-anywhere">
        We sent this upgrade code to {gift.recipientEmail}. You can also hand it over yourself.
      </p>
      <CodeBlock code={gift.upgradeCode} />
      <p className="text-sm text-ink-2">It works once, within a year. It is not shown again.</p>
      <Button className="w-full" onClick={onClose}>
        Done
      </Button>
    </div>
  )
}

function GiftForm({ onSent, onClose }: { onSent: (gift: Gift) => void; onClose: () => void }) {
  const page = usePage()
  const { location } = page
  const { toast } = usePage().toasts
  const { data: offer } = useGetOfferQuery()
  const [give] = useGiftPremiumMutation()
  const [giftMessage, setGiftMessage] = useState('')
  const length = lengthOf(giftMessage, limits.giftMessageMaxLength)
  const { props, field, faults, isBusy } = useForm({
    fields: ['recipientEmail'],
    load: loadAccountFields,
    check: ({ recipientEmail }, rules) => ({
      recipientEmail: recipientEmail === '' ? missing : faultOf(rules.email, recipientEmail),
    }),
    onFault: (sentence) => {
      if (sentence === missing)
        toast({ title: 'Email required', description: missing, variant: 'destructive' })
    },
    send: async ({ recipientEmail }) => {
      const answer = await give({ recipientEmail, giftMessage }).unwrap()
      if ('checkoutUrl' in answer) return location.leaveFor(answer.checkoutUrl)
      giftSent(page.toasts, answer)
      onSent(answer)
    },
    fallback: 'The gift could not be bought. Please try again.',
  })
  return (
    <form className="space-y-4" {...props}>
      <TextField
        label="Recipient email"
        type="email"
        autoComplete="off"
        inputMode="email"
        {...field('recipientEmail')}
      />
      <LimitedArea
        label="Gift message (optional)"
        what="A gift message"
        purpose="send it"
        rows={2}
        length={length}
        value={giftMessage}
        onChange={({ target }) => setGiftMessage(target.value)}
      />
      <PaymentNote />
      {faults.form && <Notice kind="error">{faults.form}</Notice>}
      <Button
        type="submit"
        className="w-full"
        isBusy={isBusy}
        disabled={offer?.provider === null || length.excess > 0}
      >
        {offer?.provider === 'stripe' ? 'Continue to payment' : 'Send gift'}
      </Button>
      <Button variant="secondary" className="w-full" onClick={onClose}>
        Cancel
      </Button>
    </form>
  )
}
