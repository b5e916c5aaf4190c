import { useState } from 'react'
import { faultOf } from '../../shared/lib/field-rules.ts'
import { useForm } from '../../shared/lib/use-form.ts'
import { nativeBuild, platform } from '../device/platform.ts'
import { pendingPromoCode } from '../device/promo-link.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { codeClass } from '../../shared/ui/name-classes.ts'
import { CodeField } from './CodeField.tsx'
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

const missing = 'Please enter a promo code.'
const noMobileApp = 'Promo code redemption is only available in the mobile app.'
const noAppStoreId =
  'This version of the app cannot open its page in the App Store. Please enter the code in the App Store itself.'
const titles: Record<string, string> = {
  [noMobileApp]: 'Mobile app required',
  [noAppStoreId]: 'Redemption failed',
}

/** Returns the reason why no promo code can be redeemed from here; undefined if codes can be redeemed. */
function storeFault(): string | undefined {
  const native = platform.native()
  if (!native) return noMobileApp
  return native === 'ios' && !nativeBuild.appStoreId ? noAppStoreId : undefined
}

/** Opens the app store with a promo code, and shows the state of the latest redemptions. */
export function PromoCodeCard() {
  const [isOpen, setIsOpen] = useState(() => pendingPromoCode.get() !== null)
  // The server refuses this call in a locked session that signed in long ago; the card then shows no redemptions.
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
                <span className={codeClass}>{promoCode}</span>
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
  const [log] = useLogRedemptionMutation()
  const [generate] = useGeneratePromoUrlMutation()
  const native = platform.native()
  const appId = nativeBuild.appStoreId
  const refuse = (title: string, description: string) => toast({ title, description, variant: 'destructive' })
  const { props, field, isBusy } = useForm({
    fields: ['promoCode'],
    load: loadCodeFields,
    check: ({ promoCode }, rules) => ({
      promoCode: promoCode.trim() === '' ? missing : (storeFault() ?? faultOf(rules.promoCode, promoCode)),
    }),
    onFault: (sentence) => refuse(titles[sentence] ?? 'Invalid code', sentence),
    send: async (values) => {
      if (!native) return
      const promoCode = values.promoCode.trim()
      await log({ platform: native, promoCode }).unwrap()
      const isIos = native === 'ios'
      const { url } = await generate({ platform: native, promoCode, ...(isIos ? { appId } : {}) }).unwrap()
      window.open(url, '_blank', 'noopener')
      const description = isIos
        ? 'Complete the redemption in the App Store.'
        : 'The redemption page is opening.'
      toast({ title: 'Redemption initiated', description })
      onClose()
    },
    refused: (sentence) => {
      refuse('Redemption failed', sentence)
      return { promoCode: sentence }
    },
    fallback: 'Failed to redeem promo code. Please try again.',
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Redeem promo code"
      description="The store opens with your code. Premium begins once the store has confirmed it."
    >
      <form className="space-y-4" {...props}>
        <CodeField label="Promo code" defaultValue={pendingPromoCode.get() ?? ''} {...field('promoCode')} />
        <Button type="submit" className="w-full" isBusy={isBusy}>
          Redeem in the store
        </Button>
        <Button variant="secondary" className="w-full" onClick={onClose}>
          Cancel
        </Button>
      </form>
    </Dialog>
  )
}
