import { useContext, useEffect, useLayoutEffect, useReducer } from 'react'
import { CalculatorView } from '../features/calculator/CalculatorView.tsx'
import { HiddenDisplay, NumberDisplay } from '../features/calculator/Display.tsx'
import { emptyEntry, reduceEarlyEntry } from '../features/calculator/early-entry.ts'
import type { DeviceKind, EarlyEntry } from '../features/calculator/early-entry.ts'
import { endEarlyKeys } from '../features/calculator/early-keys.ts'
import type { CalculatorAction } from '../features/calculator/calculator-state.ts'
import { SideMenu } from '../features/calculator/SideMenu.tsx'
import { startingCalculator, useKeptHistory } from '../features/calculator/use-kept-history.ts'
import { useKeyboard } from '../features/calculator/use-keyboard.ts'
import { PreferencesContext } from '../features/device/preferences.ts'
import { LegalModal } from '../features/legal/LegalModal.tsx'
import { isDiscreetDevice, isKnownDevice } from '../features/device/known-device.ts'

const deviceKind = (): DeviceKind =>
  isDiscreetDevice() ? 'discreet' : isKnownDevice() ? 'known' : 'stranger'

interface FirstCalculatorProps {
  /**
   * The calculator starts with this entry, which was typed earlier on this page or on the page before; null if there is
   * none.
   */
  early: EarlyEntry | null
  onSettings: () => void
  /** Receives the entry after each change and stores it. */
  onEntry: (entry: EarlyEntry) => void
  isOnCover?: boolean
}

/**
 * Shows the calculator of the first page. It works without the app, and keeps the entry for the app that replaces it.
 */
export function FirstCalculator({
  early: before,
  onSettings,
  onEntry,
  isOnCover = false,
}: FirstCalculatorProps) {
  const [early, press] = useReducer(
    (entry: EarlyEntry, action: CalculatorAction) => reduceEarlyEntry(entry, action, deviceKind()),
    useContext(PreferencesContext),
    (preferences) => before ?? emptyEntry(startingCalculator(preferences)),
  )
  useLayoutEffect(() => onEntry(early), [early, onEntry])
  useKeptHistory(early.state.history)
  useKeyboard(press, true, isOnCover)
  // Keys that were pressed before this calculator could take them are delivered now.
  useEffect(() => endEarlyKeys(true), [])
  return (
    <>
      <CalculatorView
        state={early.state}
        display={
          early.hidden === null ? undefined : early.hidden === '' ? (
            <NumberDisplay expression="" display="0" />
          ) : (
            <HiddenDisplay count={early.hidden.length} label="Result" isChecking={early.isSubmitted} />
          )
        }
        // A lit plus makes the entry of a number look like the beginning of a sum.
        litOperator={early.hidden === null ? undefined : early.hidden === '' ? '+' : null}
        onKey={press}
        onSwipe={() => press('backspace')}
        menu={<SideMenu onSettings={onSettings} />}
      />
      <LegalModal />
    </>
  )
}
