import { useLayoutEffect } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { codeIn, pendingPromoCode } from '../device/promo-link.ts'
import { usePage } from '../../page.ts'

/** Stores the promo code of a link and goes on to the settings, which offer to redeem it. */
export function RedeemLinkScreen() {
  const { toast } = usePage().toasts
  const { pathname, search } = useLocation()
  const code = codeIn(pathname + search)
  useLayoutEffect(() => {
    if (code === null) return
    pendingPromoCode.keep(code)
    toast({ title: 'Promo code detected', description: code, outlivesScreen: true })
  }, [code, toast])
  return <Navigate to="/settings" replace />
}
