import { startTransition, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { createPath, NavigationType, parsePath, Router } from 'react-router-dom'
import type { Location, Navigator, To } from 'react-router-dom'
import { isDiscreetDevice } from '../features/device/known-device.ts'
import { isCalculatorPath } from '../shared/lib/calculator-path.ts'
import { usePage } from '../page.ts'

/** The screens at these paths need no session. */
const publicPaths = ['/auth', '/verify-email', '/reset-password']
const placeOf = (path: string) =>
  isCalculatorPath(path) ? 'calculator' : publicPaths.includes(path) ? 'public' : 'inner'

interface HistoryState {
  key: string
  usr?: unknown
}

const newKey = () => Math.random().toString(36).slice(2, 10)

/**
 * In discreet mode every entry of the browser's history has the address `/`, so that it does not reveal the screens.
 * Only this page's memory maps the entries to screens.
 */
const addressOf = (to: To) => (isDiscreetDevice() ? '/' : typeof to === 'string' ? to : createPath(to))
const stateOf = ({ key, state }: Location): HistoryState =>
  isDiscreetDevice() ? { key } : { key, usr: state as unknown }

/** Reads the location from the browser's address and from the state of its history entry. */
function locationFromBrowser(): Location {
  const { pathname, search, hash } = window.location
  const { key = 'default', usr = null } = (window.history.state ?? {}) as Partial<HistoryState>
  return { pathname, search, hash, key, state: usr }
}

function writeHistory(method: 'pushState' | 'replaceState', location: Location): void {
  window.history[method](stateOf(location), '', addressOf(location))
}

/** Replaces any other address by `/` in discreet mode. */
function conceal(location: Location): Location {
  if (isDiscreetDevice() && window.location.pathname !== '/') writeHistory('replaceState', location)
  return location
}

/**
 * Works like a BrowserRouter, but the address stays `/` while the device is in discreet mode. `startAt` is the first
 * screen if it differs from the browser's address.
 */
export function AppRouter({ startAt, children }: { startAt?: string; children: ReactNode }) {
  const { place } = usePage()
  const [{ location, action }, setCurrent] = useState(() => ({
    location: conceal({ ...locationFromBrowser(), ...(startAt ? { pathname: startAt } : {}) }),
    action: NavigationType.Pop,
  }))
  const visited = useRef(new Map([[location.key, location]]))

  const navigator = useMemo<Navigator>(() => {
    const write = (method: 'pushState' | 'replaceState', to: To, state: unknown) => {
      const path = typeof to === 'string' ? parsePath(to) : to
      const next: Location = { pathname: '/', search: '', hash: '', ...path, state, key: newKey() }
      writeHistory(method, next)
      visited.current.set(next.key, next)
      const action = method === 'pushState' ? NavigationType.Push : NavigationType.Replace
      startTransition(() => setCurrent({ location: next, action }))
    }
    return {
      createHref: addressOf,
      push: (to, state) => write('pushState', to, state ?? null),
      replace: (to, state) => write('replaceState', to, state ?? null),
      go: (delta) => window.history.go(delta),
    }
  }, [])

  useLayoutEffect(() => place.setWay(() => void navigator.replace('/', null)), [place, navigator])
  // `place` follows the rendered screen, because the screen of a new address may still be loading.
  useLayoutEffect(() => place.enter(placeOf(location.pathname)), [place, location])

  useLayoutEffect(() => {
    const onPop = () => {
      const { key } = (window.history.state ?? {}) as Partial<HistoryState>
      const known = key === undefined ? undefined : visited.current.get(key)
      const next = conceal(known ?? locationFromBrowser())
      // This history entry belongs to a screen of an earlier page, from which the person may have fled.
      if (!known && place.kind() === 'calculator' && !isCalculatorPath(next.pathname)) {
        navigator.replace('/', null)
        return
      }
      startTransition(() => setCurrent({ location: next, action: NavigationType.Pop }))
    }
    window.addEventListener('popstate', onPop)
    return () => window.removeEventListener('popstate', onPop)
  }, [place, navigator])

  return (
    <Router location={location} navigationType={action} navigator={navigator}>
      {children}
    </Router>
  )
}
