import { useEffect, useLayoutEffect, useState } from 'react'
import type { ComponentType } from 'react'
import { flushSync } from 'react-dom'
import { handedOver } from '../features/calculator/handed-over.ts'
import { needsProof, proofWithinMs } from '../features/lock/proof.ts'
import { isDiscreetDevice, isKnownDevice } from '../features/device/known-device.ts'
import { openNewest, releaseOfServer } from '../features/device/newest-page.ts'
import { replaceWhenUnused } from '../features/device/replace-unused.ts'
import { isAtCalculator } from '../shared/lib/calculator-path.ts'
import { mayReload } from '../features/device/reload-pause.ts'
import { FullPageSpinner } from '../shared/ui/Spinner.tsx'
import type { AppProps } from './App.tsx'
import type { Entry } from './create-entry.ts'
import { FirstCalculator } from './FirstCalculator.tsx'
import { FailedPage } from './InnerBoundary.tsx'
import { loadApp } from './load-app.ts'

const retryMs = 5000
const settings = '/settings'
const openNewestCalculator = ({ location }: Entry) => void openNewest(() => location.replace('/'))

/**
 * Shows a calculator at once. The app replaces it as soon as it is loaded, if the device is known or another screen is
 * requested. On a device without an account the calculator never needs the app.
 */
export function Root({ entry, load = loadApp }: { entry: Entry; load?: typeof loadApp }) {
  const { place, arrival, early } = entry
  const [isAway, setAway] = useState(() => !isAtCalculator())
  const [isKnown, setKnown] = useState(isKnownDevice)
  const { App, hasFailed } = useApp(entry, isKnown || isAway, isAway, load)
  const [ownEntry] = useState(() => Math.random().toString(36).slice(2))

  useEffect(() => {
    if (App) return
    const onPop = ({ state }: PopStateEvent) => {
      const isOwn = isAway || (state as { key?: string } | null)?.key === ownEntry
      // This address belongs to a screen of an earlier page, from which the person may have fled.
      if (!isOwn && !isAtCalculator()) window.history.replaceState(null, '', '/')
      setAway(!isAtCalculator())
    }
    // Another tab may have signed in while this one was hidden.
    const onShow = () => setKnown(isKnownDevice())
    window.addEventListener('popstate', onPop)
    document.addEventListener('visibilitychange', onShow)
    return () => {
      window.removeEventListener('popstate', onPop)
      document.removeEventListener('visibilitychange', onShow)
    }
  }, [App, isAway, ownEntry])

  useLayoutEffect(() => {
    if (App) return
    place.enter(isAway ? 'inner' : 'calculator')
    place.setWay(() => {
      window.history.replaceState(null, '', '/')
      setAway(false)
    })
  }, [App, isAway, place])
  useEffect(() => {
    if (App || !isKnown || !place.isLoadedInside() || !needsProof(window.location)) return
    const giveUp = () => {
      arrival.owe()
      place.goToCalculator()
    }
    const timer = window.setTimeout(giveUp, hasFailed ? 0 : proofWithinMs())
    return () => window.clearTimeout(timer)
  }, [App, isKnown, hasFailed, place, arrival])

  const onSettings = () => {
    // In discreet mode the address stays that of the calculator.
    window.history.pushState({ key: ownEntry }, '', isDiscreetDevice() ? '/' : settings)
    early.forget()
    setAway(true)
  }
  if (App) return <App {...(isAway && isAtCalculator() ? { startAt: settings } : {})} />
  if (!isAway) return <FirstCalculator early={early.get()} onEntry={early.keep} onSettings={onSettings} />
  return hasFailed ? <FailedPage /> : <FullPageSpinner />
}

/**
 * Loads the app when it is wanted, and repeats a failed load every five seconds. If the server has a newer release, the
 * page of that release is opened instead.
 */
function useApp(entry: Entry, isWanted: boolean, isAway: boolean, load: typeof loadApp) {
  const { hands } = entry
  const [App, setApp] = useState<ComponentType<Omit<AppProps, 'page'>> | null>(null)
  const [hasFailed, setFailed] = useState(false)
  const [tries, setTries] = useState(1)
  const [isOutdated, setOutdated] = useState(false)
  const isLoaded = App !== null

  useEffect(() => {
    if (isLoaded || !isWanted) return
    let isOver = false
    let retry: number | undefined
    const stopWatching = hands.watch()
    const onLoad = async (Loaded: ComponentType<Omit<AppProps, 'page'>>) => {
      await hands.atRest()
      // `flushSync` renders the app and runs its effects at once, so that no key is lost between the two calculators.
      if (!isOver) flushSync(() => setApp(() => Loaded))
    }
    load(entry, isAway).then(onLoad, () => {
      if (isOver) return
      setFailed(true)
      void releaseOfServer().then((release) => setOutdated(release === 'newer'))
      retry = window.setTimeout(() => setTries((count) => count + 1), retryMs)
    })
    return () => {
      isOver = true
      window.clearTimeout(retry)
      stopWatching()
    }
  }, [entry, hands, isWanted, isAway, isLoaded, tries, load])
  useEffect(() => (isOutdated ? leaveOutdatedPage(entry) : undefined), [entry, isOutdated, tries])
  return { App, hasFailed }
}

/**
 * Opens the page of the new release: at once if a submitted number is waiting for the app, and otherwise once nothing
 * is typed.
 */
function leaveOutdatedPage(entry: Entry) {
  const early = entry.early.get()
  if (!early?.isSubmitted && !early?.tried) return replaceWhenUnused(() => openNewestCalculator(entry))
  if (!mayReload()) return undefined
  handedOver.keep(early)
  openNewestCalculator(entry)
  return undefined
}
