import { createElement } from 'react'
import type { ComponentType } from 'react'
import { deviceStorage } from '../features/device/safe-storage.ts'
import { platform } from '../features/device/platform.ts'
import { codeIn } from '../features/device/promo-link.ts'
import { watchLock } from '../features/lock/lock-effects.ts'
import { codeInLink, linkWithCode } from '../shared/lib/code-link.ts'
import type { Page } from '../page.ts'
import { App } from './App.tsx'
import type { AppProps } from './App.tsx'
import type { Entry } from './create-entry.ts'
import { createPage } from './create-page.ts'

const channelName = 'calc'

/**
 * Completes a lock that an earlier page has begun, before the app's first call. It also locks if the person has left
 * this page's calculator before the app could decide whether a lock is needed.
 */
export function startPage({ arrival, flight, lock }: Page, isAway: boolean): void {
  if (isAway && arrival.isArmed()) lock.dispatch('unproven')
  watchLock(lock)
  flight.setLock(() => lock.dispatch('left'))
}

/** Creates the `Page` of this document and returns the app that uses it. */
export function startApp(entry: Entry, isAway: boolean): ComponentType<Omit<AppProps, 'page'>> {
  const page = createPage({
    entry,
    storage: deviceStorage,
    fetch: (...call) => fetch(...call),
    channel: () => (typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(channelName)),
  })
  startPage(page, isAway)
  platform.onLink((link) => {
    const code = codeIn(link)
    if (code) page.location.replace(`/redeem?code=${encodeURIComponent(code)}`)
    const userCode = codeInLink(link)
    if (userCode) page.location.replace(linkWithCode(userCode, ''))
  })
  return (props) => createElement(App, { ...props, page })
}
