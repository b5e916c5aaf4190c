import { useEffect, useEffectEvent, useState } from 'react'
import { api, asApiError } from '../../api/base-api.ts'
import { useAppDispatch } from '../../api/store.ts'
import { giftSent } from './gift-sent.ts'
import { useReadPaymentMutation } from './premium-api.ts'
import type { PaymentState } from './premium-api.ts'
import { usePage } from '../../page.ts'

const askEveryMs = 2000
/**
 * After this many tries the requests become rarer, and the screen explains that the payment takes longer than usual.
 */
const lateAfterTries = 8
const askLateEveryMs = 10_000

/** Requests the state of a payment until it is settled; `payment` is null before the first answer. */
export function usePayment(id: string) {
  const page = usePage()
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
      page.session?.list.mayHaveChanged()
      if (answer.gift) giftSent(page.toasts, answer.gift)
      else if (answer.kind === 'upgrade')
        page.toasts.toast({ title: 'Upgraded to Premium', description: 'You now have unlimited messaging!' })
    } catch (error) {
      const status = asApiError(error)?.status
      if (status === 404 || status === 400) setPayment('missing')
    }
  })
  useEffect(() => {
    if (!isOpen) return undefined
    const waitMs = tries === 0 ? 0 : tries < lateAfterTries ? askEveryMs : askLateEveryMs
    const timer = window.setTimeout(() => void ask().then(() => setTries((before) => before + 1)), waitMs)
    return () => window.clearTimeout(timer)
  }, [isOpen, tries])
  return { payment, isLate: tries >= lateAfterTries }
}
