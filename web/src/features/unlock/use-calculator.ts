import { pinLimits as limits } from '@sumlock/contracts/pin-limits'
import { useCallback, useEffect, useEffectEvent, useReducer, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { openNewest } from '../../offline/newest-page.ts'
import { earlyEntry } from '../calculator/early-entry.ts'
import { isDigitsOnly, reduceCalculator } from '../calculator/machine.ts'
import type { CalculatorAction, CalculatorKey } from '../calculator/calculator-state.ts'
import { startingCalculator, useKeptHistory } from '../calculator/use-kept-history.ts'
import { useAuth } from '../session/auth-context.ts'
import { isDiscreetDevice, isKnownDevice } from '../session/known-device.ts'
import type { Announcer } from './use-practice.ts'
import { useSilentCheck } from './use-silent-check.ts'
import { useStartInPasswordMode } from './use-start-in-password-mode.ts'
import { prepareUnlock, useUnlock } from './use-unlock.ts'
import type { EntryKind, UnlockResult } from './use-unlock.ts'

/** The calculator with password mode and silent checks. */
export function useCalculator(announcer: Announcer) {
  const { user, isSignedOut } = useAuth()
  const unlock = useUnlock()
  const [early] = useState(earlyEntry.get)
  const [state, press] = useReducer(reduceCalculator, undefined, () => early?.state ?? startingCalculator())
  useKeptHistory(state.history)
  const [hasUnlocked, setHasUnlocked] = useState(false)
  const [tries, setTries] = useState(0)
  // Keep password mode available when the server cannot be reached or the session has expired.
  const mayEnterPasswordMode = user ? user.isSetupComplete : isKnownDevice()
  const mayUnlock = mayEnterPasswordMode && !isSignedOut

  const tryToUnlock = async (number: string, kind: EntryKind, onRight: () => void) => {
    setTries((count) => count + 1)
    const result = await unlock(number, kind, () => {
      announcer.dismiss()
      press('C')
      onRight()
      setHasUnlocked(true)
    })
    if (result === 'outdated') {
      await openNewest('/')
      return 'busy'
    }
    setTries((count) => count - 1)
    return result
  }
  const passwordMode = usePasswordMode(
    (entry, onRight) => tryToUnlock(entry, 'password-mode', onRight),
    early?.hidden ?? null,
    announcer,
  )

  const onHint = useCallback(
    () => announcer.show({ title: 'Hint: Press = to Unlock', durationMs: 8000 }),
    [announcer],
  )
  const digits = !passwordMode.isOn && isDigitsOnly(state) ? state.keystrokes : ''
  useSilentCheck({ digits, isAllowed: user?.isSetupComplete === true && user.silentCheck, onHint })

  const isEntryLikely = mayUnlock && (passwordMode.isOn || digits.length >= limits.pinMinLength)
  useEffect(() => {
    if (isEntryLikely) prepareUnlock()
  }, [isEntryLikely])

  const onKey = (key: CalculatorAction) => {
    if (passwordMode.isChecking) return
    if (passwordMode.isOn && isKey(key)) {
      passwordMode.onKey(key)
      return
    }
    if (passwordMode.isOn && key !== 'clearHistory') return
    const isIdle = state.display === '0' && state.pendingOperator === null && state.keystrokes === ''
    if (key === '+' && isIdle && mayEnterPasswordMode) {
      press('C')
      passwordMode.enter()
      return
    }
    if (key === '=' && mayUnlock) tryDigits(digits)
    press(key)
  }
  const tryDigits = (typed: string) => {
    const mightBePin = typed.length >= limits.pinMinLength && typed.length <= limits.pinMaxLength
    if (mightBePin) void tryToUnlock(typed, 'digits', passwordMode.leave)
  }
  const tryEarlyEntry = useEffectEvent(() => {
    earlyEntry.forget()
    if (early && early.hidden !== null) tellPasswordMode(announcer)
    if (early?.isSubmitted) passwordMode.onKey('=')
    else if (early?.tried && mayUnlock) tryDigits(early.tried)
  })
  useEffect(() => tryEarlyEntry(), [])

  return {
    state,
    passwordMode: passwordMode.isOn,
    count: passwordMode.count,
    isChecking: passwordMode.isChecking,
    isTrying: tries > 0,
    hasUnlocked,
    refusals: state.refusals + passwordMode.refusals,
    onKey,
  }
}

const isKey = (action: CalculatorAction): action is CalculatorKey =>
  typeof action === 'string' && action !== 'clearHistory'

function tellPasswordMode({ show }: Announcer): void {
  if (!isDiscreetDevice()) show({ title: 'Password Mode: Enter your numeric password' })
}

/** The entry of password mode and its submission. */
function usePasswordMode(
  tryToUnlock: (entry: string, onRight: () => void) => Promise<UnlockResult>,
  early: string | null,
  announcer: Announcer,
) {
  const { isSignedOut } = useAuth()
  const navigate = useNavigate()
  const [isOn, setIsOn] = useState(useStartInPasswordMode() || early !== null)
  const [entry, setEntry] = useState((early ?? '').slice(0, limits.pinMaxLength))
  const [isChecking, setIsChecking] = useState(false)
  const [refusals, setRefusals] = useState(0)

  const leave = () => {
    setIsOn(false)
    setEntry('')
  }
  const submit = async () => {
    if (entry === '') return
    if (isSignedOut) {
      void navigate('/auth')
      return
    }
    setIsChecking(true)
    const result = await tryToUnlock(entry, leave)
    if (result === 'busy') return
    setIsChecking(false)
    if (result === 'no-session') void navigate('/auth')
    if (result === 'no-connection') {
      announcer.show({ title: 'No connection', description: 'Please try again', variant: 'destructive' })
    }
    if (result !== 'wrong') return
    if (!isDiscreetDevice()) {
      announcer.show({ title: 'Invalid Password', description: 'Please try again', variant: 'destructive' })
      setRefusals((count) => count + 1)
    }
    setEntry('')
  }

  return {
    isOn,
    count: entry.length,
    isChecking,
    refusals,
    enter: () => {
      setIsOn(true)
      tellPasswordMode(announcer)
    },
    leave,
    onKey: (key: CalculatorKey) => {
      if (key === 'C') {
        announcer.dismiss()
        leave()
      } else if (key === '=') void submit()
      else if (key === 'backspace') setEntry((typed) => typed.slice(0, -1))
      else if (key === 'clearEntry') setEntry('')
      else if (/^\d$/.test(key))
        setEntry((typed) => (typed.length < limits.pinMaxLength ? typed + key : typed))
    },
  }
}
