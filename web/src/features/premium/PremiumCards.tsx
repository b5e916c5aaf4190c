import type { WholeUser } from '@sumlock/contracts/user'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { platform } from '../../shared/lib/platform.ts'
import { pendingPromoCode } from '../../shared/lib/promo-link.ts'
import { GiftDialog } from './GiftDialog.tsx'
import { MobileSubscriptionCard } from './MobileSubscriptionCard.tsx'
import { OfferCard } from './OfferCard.tsx'
import { PlanCard } from './PlanCard.tsx'
import { PromoCodeCard } from './PromoCodeCard.tsx'
import { RedeemDialog } from './RedeemDialog.tsx'
import { UpgradeDialog } from './UpgradeDialog.tsx'

/** Everything of the settings that has to do with premium. */
export function PremiumCards({ user }: { user: WholeUser }) {
  const { state } = useLocation() as { state: { upgrade?: boolean } | null }
  const wantsUpgrade = state?.upgrade === true && user.subscriptionType === 'free'
  const [dialog, setDialog] = useState<'upgrade' | 'gift' | 'redeem' | null>(wantsUpgrade ? 'upgrade' : null)
  const native = platform.native()
  const isFree = user.subscriptionType !== 'premium'
  // Someone with premium is offered no promo code: a kept one would open the settings at every sign-in.
  useEffect(() => {
    if (!isFree) pendingPromoCode.forget()
  }, [isFree])
  const close = () => setDialog(null)
  return (
    <>
      <PlanCard user={user} onUpgrade={() => setDialog('upgrade')} />
      <OfferCard
        title="Gift Premium Access - $29"
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
