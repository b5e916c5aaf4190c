import { yearPrice } from '@sumlock/contracts/price'
import type { WholeUser } from '@sumlock/contracts/user'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { platform } from '../device/platform.ts'
import { pendingPromoCode } from '../device/promo-link.ts'
import { GiftDialog } from './GiftDialog.tsx'
import { MobileSubscriptionCard } from './MobileSubscriptionCard.tsx'
import { OfferCard } from './OfferCard.tsx'
import { PlanCard } from './PlanCard.tsx'
import { PromoCodeCard } from './PromoCodeCard.tsx'
import { RedeemDialog } from './RedeemDialog.tsx'
import { UpgradeDialog } from './UpgradeDialog.tsx'

/** Shows all premium parts of the settings. */
export function PremiumCards({ user }: { user: WholeUser }) {
  const { state } = useLocation() as { state: { upgrade?: boolean; gift?: boolean } | null }
  const [dialog, setDialog] = useState<'upgrade' | 'gift' | 'redeem' | null>(() => {
    if (state?.gift) return 'gift'
    return state?.upgrade && user.subscriptionType === 'free' ? 'upgrade' : null
  })
  const native = platform.native()
  const isFree = user.subscriptionType !== 'premium'
  // A person with premium needs no promo code, and a stored one would open the settings at every sign-in.
  useEffect(() => {
    if (!isFree) pendingPromoCode.forget()
  }, [isFree])
  const planTitle = useRef<HTMLHeadingElement>(null)
  const isShown = useRef(false)
  // The pressed button disappears with premium, so a dialog cannot return the focus to it.
  useEffect(() => {
    if (isShown.current && dialog === null && document.activeElement === document.body)
      planTitle.current?.focus()
    isShown.current = true
  }, [dialog, isFree])
  const close = () => setDialog(null)
  return (
    <>
      <PlanCard user={user} titleRef={planTitle} onUpgrade={() => setDialog('upgrade')} />
      <OfferCard
        title={`Gift Premium Access - ${yearPrice.label}`}
        text="Give someone a year of premium. They get a code by mail."
        action="Gift premium"
        onOpen={() => setDialog('gift')}
      />
      <OfferCard
        title="Redeem Upgrade Code"
        text="You got a code as a gift? Use it here."
        action="Redeem code"
        onOpen={() => setDialog('redeem')}
      />
      {isFree && native && <MobileSubscriptionCard userId={user.id} native={native} />}
      {isFree && <PromoCodeCard />}
      {dialog === 'upgrade' && <UpgradeDialog onClose={close} />}
      {dialog === 'gift' && <GiftDialog onClose={close} />}
      {dialog === 'redeem' && <RedeemDialog onClose={close} />}
    </>
  )
}
