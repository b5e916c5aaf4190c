import { flight } from '../features/lock/flight.ts'
import { arrival } from '../features/lock/arrival.ts'
import { lock, watchLock } from '../features/lock/lock-effects.ts'
import { page } from '../features/device/page.ts'
import { platform } from '../features/device/platform.ts'
import { codeIn } from '../features/device/promo-link.ts'
import { codeInLink, linkWithCode } from '../shared/lib/code-link.ts'
import { App } from './App.tsx'

/**
 * Settles the lock of an earlier page before the app's first call; also that of this page's own calculator, if it was
 * left for another screen before the app could tell whether a lock is needed.
 */
export function startApp(isAway: boolean): typeof App {
  if (isAway && arrival.isArmed()) lock.dispatch('unproven')
  watchLock()
  flight.onInner(() => lock.dispatch('left'))
  platform.onLink((link) => {
    const code = codeIn(link)
    if (code) page.replace(`/redeem?code=${encodeURIComponent(code)}`)
    const userCode = codeInLink(link)
    if (userCode) page.replace(linkWithCode(userCode, ''))
  })
  return App
}
