import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import { Navigate, useLocation, useNavigate } from 'react-router-dom'
import { Button } from '../../shared/ui/Button.tsx'
import { Card } from '../../shared/ui/Card.tsx'
import { CloseIcon } from '../../shared/ui/first-icons.ts'
import { CheckIcon, ErrorIcon } from '../../shared/ui/icons.tsx'
import { ScreenHeader } from '../../shared/ui/ScreenHeader.tsx'
import { Spinner } from '../../shared/ui/Spinner.tsx'
import { useAuth } from '../session/auth-context.ts'
import { SentGift } from './GiftDialog.tsx'
import { dateText } from '../../shared/lib/date-text.ts'
import { Outcome } from './Outcome.tsx'
import type { Gift, PaymentState } from './premium-api.ts'
import { usePayment } from './use-payment.ts'

/**
 * Shows the state of a payment. The payment provider sends the person to this address, with `cancelled` if they went
 * back instead of paying.
 */
export function PaymentScreen() {
  const { user } = useAuth()
  const query = new URLSearchParams(useLocation().search)
  const id = query.get('id')
  if (!user || !isWholeUser(user) || !id) return <Navigate to="/settings" replace />
  return <Payment id={id} isCancelled={query.get('cancelled') === '1'} />
}

function Payment({ id, isCancelled }: { id: string; isCancelled: boolean }) {
  const navigate = useNavigate()
  const { payment, isLate } = usePayment(id)
  const leave = (state?: { upgrade: true } | { gift: true }) =>
    void navigate('/settings', { replace: true, state })
  return (
    <main className="mx-auto max-w-[560px] pb-10">
      <ScreenHeader title="Payment" back={{ label: 'Back', onBack: () => leave() }} />
      <div className="p-4">
        <Card>
          <div aria-live="polite">
            <ShownPayment payment={payment} isLate={isLate} isCancelled={isCancelled} onLeave={leave} />
          </div>
        </Card>
      </div>
    </main>
  )
}

interface ShownPaymentProps {
  payment: PaymentState | 'missing' | null
  isLate: boolean
  isCancelled: boolean
  onLeave: (state?: { upgrade: true } | { gift: true }) => void
}

function ShownPayment({ payment, isLate, isCancelled, onLeave }: ShownPaymentProps) {
  if (payment === null) return <Waiting isLate={isLate} isCancelled={isCancelled} />
  const backToSettings = (
    <Button variant="secondary" className="w-full" onClick={() => onLeave()}>
      Back to Settings
    </Button>
  )
  if (payment === 'missing')
    return (
      <Outcome icon={<ErrorIcon size={28} />} title="Not found" text="This payment could not be found.">
        {backToSettings}
      </Outcome>
    )
  const { kind, status, gift } = payment
  if (status === 'paid' && kind === 'gift' && !gift)
    return (
      <Outcome icon={<CheckIcon size={28} />} title="Paid" text={overText}>
        {backToSettings}
      </Outcome>
    )
  if (status === 'paid') return <Paid gift={gift} onLeave={() => onLeave()} />
  if (status === 'refunded' || status === 'disputed')
    return (
      <Outcome
        icon={<ErrorIcon size={28} />}
        title={status === 'refunded' ? 'Refunded' : 'Disputed'}
        text={endedText[status][kind]}
      >
        {backToSettings}
      </Outcome>
    )
  if (status === 'pending' && !isCancelled) return <Waiting isLate={isLate} />
  return (
    <Outcome
      icon={<CloseIcon size={28} />}
      title="Not paid"
      text="The payment was not completed. Nothing was charged."
    >
      <Button
        className="w-full"
        onClick={() => onLeave(kind === 'gift' ? { gift: true } : { upgrade: true })}
      >
        Try again
      </Button>
      {backToSettings}
    </Outcome>
  )
}

const overText = 'Your gift was paid. Its code was redeemed, or it has expired.'
const endedText = {
  refunded: {
    upgrade: 'This payment was refunded. The premium that it paid for was taken back.',
    gift: 'This payment was refunded. The code no longer works, and premium that it had given has ended.',
  },
  disputed: {
    upgrade:
      'Your bank has taken this payment back because it was disputed. The premium that it paid for is paused until the bank decides.',
    gift: 'Your bank has taken this payment back because it was disputed. The gift is paused until the bank decides.',
  },
}

function Paid({ gift, onLeave }: { gift: Gift | null; onLeave: () => void }) {
  const { user } = useAuth()
  const until = user && isWholeUser(user) ? user.subscriptionExpiresAt : null
  if (gift)
    return (
      <Outcome isGood icon={<CheckIcon size={28} />} title="Your gift is on its way">
        <SentGift gift={gift} onClose={onLeave} />
      </Outcome>
    )
  const text = (
    <>
      <p>Thank you. You now have unlimited messaging!</p>
      {until && <p>Unlimited until {dateText(until)}.</p>}
    </>
  )
  return (
    <Outcome isGood icon={<CheckIcon size={28} />} title="You have Premium" text={text}>
      <Button className="w-full" onClick={onLeave}>
        Done
      </Button>
    </Outcome>
  )
}

function Waiting({ isLate, isCancelled = false }: { isLate: boolean; isCancelled?: boolean }) {
  return (
    <div className="flex flex-col items-center gap-3 py-4">
      <Spinner label={isCancelled ? 'Checking your payment...' : 'Confirming your payment...'} />
      {isLate && (
        <p className="text-center text-ink-2">
          This takes longer than usual. You can leave this page: as soon as the payment is confirmed, you will
          find it in Settings. Nothing is charged twice.
        </p>
      )}
    </div>
  )
}
