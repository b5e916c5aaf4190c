import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import { useEffect, useEffectEvent, useState } from 'react'
import { Navigate, useLocation, useNavigate } from 'react-router-dom'
import { api, asApiError } from '../../api/base-api.ts'
import { useAppDispatch } from '../../app/store.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Card } from '../../shared/ui/Card.tsx'
import { ScreenHeader } from '../../shared/ui/ScreenHeader.tsx'
import { Spinner } from '../../shared/ui/Spinner.tsx'
import { toast } from '../../shared/ui/toast.ts'
import { listMayHaveChanged } from '../messaging/list-changes.ts'
import { useAuth } from '../session/auth-context.ts'
import { SentGift } from './GiftDialog.tsx'
import { giftSent } from './gift-sent.ts'
import { useReadPaymentMutation } from './premium-api.ts'
import type { PaymentState } from './premium-api.ts'

const askEveryMs = 2000
/** From then on, the text says that it takes longer than usual. */
const lateAfterTries = 8

/** Where the payment provider leads back to: waits for the payment to be confirmed, and shows what it changed. */
export function PaymentScreen() {
  const { user } = useAuth()
  const id = new URLSearchParams(useLocation().search).get('id')
  return user && isWholeUser(user) && id ? <Payment id={id} /> : <Navigate to="/settings" replace />
}

function Payment({ id }: { id: string }) {
  const navigate = useNavigate()
  const { payment, isLate } = usePayment(id)
  const leave = () => void navigate('/settings', { replace: true })
  return (
    <main className="mx-auto max-w-[560px] pb-10">
      <ScreenHeader title="Payment" back={{ label: 'Back', onBack: leave }} />
      <div className="p-4">
        <Card>
          <Outcome payment={payment} isLate={isLate} onLeave={leave} />
        </Card>
      </div>
    </main>
  )
}

interface OutcomeProps {
  payment: PaymentState | 'missing' | null
  isLate: boolean
  onLeave: () => void
}

function Outcome({ payment, isLate, onLeave }: OutcomeProps) {
  if (payment === null || (payment !== 'missing' && payment.status === 'pending'))
    return (
      <div className="space-y-4">
        <Spinner label="Confirming your payment..." />
        {isLate && (
          <p role="status" className="text-ink-2">
            This takes longer than usual. You can leave this page: as soon as the payment is confirmed, you
            will find it in Settings. Nothing is charged twice.
          </p>
        )}
      </div>
    )
  if (payment !== 'missing' && payment.status === 'paid' && payment.gift)
    return <SentGift gift={payment.gift} onClose={onLeave} />
  const isPaid = payment !== 'missing' && payment.status === 'paid'
  return (
    <div className="space-y-4">
      <p role="status">
        {payment === 'missing' && 'This payment could not be found.'}
        {isPaid && 'Thank you. You now have unlimited messaging!'}
        {!isPaid && payment !== 'missing' && 'The payment was not completed. Nothing was charged.'}
      </p>
      <Button className="w-full" onClick={onLeave}>
        {isPaid ? 'Done' : 'Back to Settings'}
      </Button>
    </div>
  )
}

/** The state of the payment, asked for until it is settled. */
function usePayment(id: string) {
  const dispatch = useAppDispatch()
  const [read] = useReadPaymentMutation()
  const [payment, setPayment] = useState<PaymentState | 'missing' | null>(null)
  const [tries, setTries] = useState(0)
  const isOpen = payment === null || (payment !== 'missing' && payment.status === 'pending')

  const ask = useEffectEvent(async () => {
    try {
      const answer = await read(id).unwrap()
      setPayment(answer)
      if (answer.status !== 'paid') return
      dispatch(api.util.invalidateTags(['User']))
      listMayHaveChanged()
      if (answer.gift) giftSent(answer.gift)
      else toast({ title: 'Upgraded to Premium', description: 'You now have unlimited messaging!' })
    } catch (error) {
      const status = asApiError(error)?.status
      if (status === 404 || status === 400) setPayment('missing')
    }
  })
  useEffect(() => {
    if (!isOpen) return undefined
    const timer = window.setTimeout(
      () => void ask().then(() => setTries((before) => before + 1)),
      tries === 0 ? 0 : askEveryMs,
    )
    return () => window.clearTimeout(timer)
  }, [isOpen, tries])
  return { payment, isLate: tries >= lateAfterTries }
}
