import { decimalDigits } from '@sumlock/contracts/decimal-digits'
import { useState } from 'react'
import type { FormEvent } from 'react'
import { sentenceOf } from '../../api/base-api.ts'
import { faultOf, noRules, useRules } from '../../shared/lib/field-rules.ts'
import { nativeBuild, platform } from '../device/platform.ts'
import { pendingPromoCode } from '../device/promo-link.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { TextField } from '../../shared/ui/TextField.tsx'
import { loadCodeFields } from './load-code-fields.ts'
import { OfferCard } from './OfferCard.tsx'
import {
  useGeneratePromoUrlMutation,
  useListRedemptionsQuery,
  useLogRedemptionMutation,
} from './promo-api.ts'
import type { Redemption } from './promo-api.ts'
import { usePage } from '../../page.ts'

const shownRedemptions = 3
const statusText: Record<Redemption['status'], string> = {
  pending: 'Waiting for the store',
  success: 'Redeemed',
  failed: 'Failed',
}

const noAppStoreId =
  'This version of the app cannot open its page in the App Store. Please enter the code in the App Store itself.'

/** Takes a promo code to the app store, and shows what became of the last ones. */
export function PromoCodeCard() {
  const [isOpen, setIsOpen] = useState(() => pendingPromoCode.get() !== null)
  // A locked session that signed in long ago is refused: the card then does without.
  const { data: redemptions = [] } = useListRedemptionsQuery()
  const close = () => {
    pendingPromoCode.forget()
    setIsOpen(false)
  }
  return (
    <OfferCard
      title="Promo Code"
      text="You have a code of the App Store or Google Play? Redeem it here."
      action="Enter promo code"
      onOpen={() => setIsOpen(true)}
    >
      {redemptions.length > 0 && (
        <ul aria-label="Recent redemptions" className="mt-2 space-y-1 border-t border-line pt-2 text-sm">
          {redemptions.slice(0, shownRedemptions).map(({ id, promoCode, status, errorMessage }) => (
            <li key={id}>
              <span className="flex justify-between gap-4">
                <span className="truncate tabular-nums">{promoCode}</span>
                <span className="text-ink-2">{statusText[status]}</span>
              </span>
              {errorMessage && <span className="block text-ink-2">{errorMessage}</span>}
            </li>
          ))}
        </ul>
      )}
      {isOpen && <PromoCodeDialog onClose={close} />}
    </OfferCard>
  )
}

function PromoCodeDialog({ onClose }: { onClose: () => void }) {
  const { toast } = usePage().toasts
  const [code, setCode] = useState(() => pendingPromoCode.get() ?? '')
  const rules = useRules(loadCodeFields)
  const [fault, setFault] = useState<string>()
  const [log, { isLoading: isLogging }] = useLogRedemptionMutation()
  const [generate, { isLoading: isGenerating }] = useGeneratePromoUrlMutation()
  const refuse = (title: string, description: string) => {
    toast({ title, description, variant: 'destructive' })
    setFault(description)
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const promoCode = code.trim()
    if (promoCode === '') return refuse('Invalid code', 'Please enter a promo code.')
    const native = platform.native()
    if (!native)
      return refuse('Mobile app required', 'Promo code redemption is only available in the mobile app.')
    const appId = nativeBuild.appStoreId
    if (native === 'ios' && !appId) return refuse('Redemption failed', noAppStoreId)
    const loaded = await rules.get()
    const invalid = loaded ? faultOf(loaded.promoCode, promoCode) : noRules
    if (invalid) return refuse('Invalid code', invalid)
    try {
      await log({ platform: native, promoCode }).unwrap()
      const { url } = await generate({
        platform: native,
        promoCode,
        ...(native === 'ios' ? { appId } : {}),
      }).unwrap()
      window.open(url, '_blank', 'noopener')
      const description =
        native === 'ios' ? 'Complete the redemption in the App Store.' : 'The redemption page is opening.'
      toast({ title: 'Redemption initiated', description })
      onClose()
    } catch (error) {
      refuse('Redemption failed', sentenceOf(error, 'Failed to redeem promo code. Please try again.'))
    }
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Redeem promo code"
      description="The store opens with your code. Premium begins once the store has confirmed it."
    >
      <form className="space-y-4" noValidate onSubmit={(event) => void submit(event)}>
        <TextField
          label="Promo code"
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
        <Button type="submit" className="w-full" isBusy={isLogging || isGenerating}>
          Redeem in the store
        </Button>
        <Button variant="secondary" className="w-full" onClick={onClose}>
          Cancel
        </Button>
      </form>
    </Dialog>
  )
}
