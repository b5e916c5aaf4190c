import { pinLimits as limits } from '@sumlock/contracts/pin-limits'
import { useCallback, useEffect, useEffectEvent, useReducer, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { openNewest } from '../device/newest-page.ts'
import { mayReload } from '../device/reload-pause.ts'
import { emptyEntry } from '../calculator/early-entry.ts'
import { handedOver } from '../calculator/handed-over.ts'
import { isDigitsOnly } from '../calculator/machine.ts'
import { digitsAfterPlus, isUntouched, reduceCalculation } from '../calculator/plus-entry.ts'
import type { Calculation } from '../calculator/plus-entry.ts'
import type { CalculatorAction, CalculatorKey } from '../calculator/calculator-state.ts'
import { startingCalculator, useKeptHistory } from '../calculator/use-kept-history.ts'
import { usePage } from '../../page.ts'
import { useAuth } from '../session/auth-context.ts'
import { isDiscreet as isDiscreetAccount } from '../session/is-discreet.ts'
import { isDiscreetDevice, isKnownDevice } from '../device/known-device.ts'
import type { Announcer } from './use-practice.ts'
import { useSilentCheck } from './use-silent-check.ts'
import { useStartInPasswordMode } from './use-start-in-password-mode.ts'
import { prepareUnlock } from './try-number.ts'
import { useUnlock } from './use-unlock.ts'
import type { EntryKind, ImportNextScreen, UnlockResult } from './try-number.ts'

/**
 * Manages the calculator with password mode and silent checks. In discreet mode it looks like the calculator of a
 * device without an account after every key.
 */
export function useCalculator(announcer: Announcer, importNext: ImportNextScreen) {
  const { user, isSignedOut } = useAuth()
  const isDiscreet = isDiscreetDevice() || (user !== null && isDiscreetAccount(user))
  const page = usePage()
  const [early] = useState(page.early.get)
  const [calculation, reduce] = useReducer(reduceCalculation, undefined, () => ({
    state: early?.state ?? startingCalculator(page.preferences),
    plus: early?.plus ?? null,
  }))
  const { state } = calculation
  const press = (action: CalculatorAction) => reduce({ action, isDiscreet })
  useKeptHistory(state.history)
  // Password mode stays available when the server cannot be reached or the session has expired.
  const mayEnterPasswordMode = user ? user.isSetupComplete : isKnownDevice()
  const mayUnlock = mayEnterPasswordMode && !isSignedOut

  const { tryToUnlock, isTrying, hasUnlocked } = useTries(importNext, {
    calculation,
    isDiscreet,
    onRight: () => {
      announcer.dismiss()
      press('C')
    },
  })
  const passwordMode = usePasswordMode(
    (entry, onRight) => tryToUnlock(entry, 'password-mode', onRight),
    early?.hidden ?? null,
    isDiscreet,
    announcer,
  )

  const digits = !passwordMode.isOn && isDigitsOnly(state) ? state.keystrokes : ''
  useHint(announcer, digits, user?.isSetupComplete === true && user.silentCheck)

  const afterPlus = digitsAfterPlus(calculation)
  const isEntryLikely =
    mayUnlock && (passwordMode.isOn || afterPlus !== '' || digits.length >= limits.pinMinLength)
  usePreparedUnlock(importNext, isEntryLikely)

  const onKey = (key: CalculatorAction) => {
    if (passwordMode.isChecking) return
    if (passwordMode.isOn && isKey(key)) {
      passwordMode.onKey(key)
      return
    }
    if (passwordMode.isOn && key !== 'clearHistory') return
    if (key === '+' && isUntouched(state) && mayEnterPasswordMode && !isDiscreet) {
      press('C')
      passwordMode.enter()
      return
    }
    if (key === '=' && mayUnlock) tryDigits(afterPlus === '' ? digits : afterPlus, afterPlus !== '')
    press(key)
  }
  const tryDigits = (typed: string, isAfterPlus: boolean) => {
    const mightBePin = typed.length >= limits.pinMinLength && typed.length <= limits.pinMaxLength
    if (mightBePin) void tryToUnlock(typed, isAfterPlus ? 'after-plus' : 'digits', passwordMode.leave)
  }
  const tryEarlyEntry = useEffectEvent(() => {
    page.early.forget()
    if (early && early.hidden !== null && !isDiscreet) tellPasswordMode(announcer)
    if (early?.isSubmitted) passwordMode.onKey('=')
    else if (early?.tried && mayUnlock) tryDigits(early.tried.digits, early.tried.isAfterPlus)
  })
  useEffect(() => tryEarlyEntry(), [])

  return {
    state,
    passwordMode: passwordMode.isOn,
    count: passwordMode.count,
    isChecking: passwordMode.isChecking,
    isEntering: passwordMode.isOn || calculation.plus === 'open',
    isTyped: passwordMode.count > 0 || (calculation.plus === 'open' && state.operandKeystrokes !== ''),
    isTrying,
    hasUnlocked,
    refusals: state.refusals + passwordMode.refusals,
    onKey,
  }
}

/** Starts to load what a right number needs as soon as an entry is likely. */
function usePreparedUnlock(importNext: ImportNextScreen, isEntryLikely: boolean): void {
  const page = usePage()
  useEffect(() => {
    if (isEntryLikely) prepareUnlock(page, importNext)
  }, [page, isEntryLikely, importNext])
}

function useHint(announcer: Announcer, digits: string, isAllowed: boolean): void {
  const onHint = useCallback(
    () => announcer.show({ title: 'Hint: Press = to Unlock', durationMs: 8000 }),
    [announcer],
  )
  useSilentCheck({ digits, isAllowed, onHint })
}

interface TriesInput {
  calculation: Calculation
  isDiscreet: boolean
  onRight: () => void
}

/** Tries numbers. If the server has a newer release, the number is handed over to the page of that release. */
function useTries(importNext: ImportNextScreen, { calculation, isDiscreet, onRight }: TriesInput) {
  const { location } = usePage()
  const unlock = useUnlock(importNext)
  const [hasUnlocked, setHasUnlocked] = useState(false)
  const [tries, setTries] = useState(0)
  const tryToUnlock = async (number: string, kind: EntryKind, leave: () => void) => {
    setTries((count) => count + 1)
    const result = await unlock(number, kind, () => {
      onRight()
      leave()
      setHasUnlocked(true)
    })
    if (result === 'outdated' && mayReload()) {
      handedOver.keep(
        kind === 'password-mode'
          ? { ...emptyEntry(calculation.state), hidden: number, isSubmitted: true }
          : {
              ...emptyEntry(calculation.state),
              ...reduceCalculation(calculation, { action: '=', isDiscreet }),
              tried: { digits: number, isAfterPlus: kind === 'after-plus' },
            },
      )
      await openNewest(() => location.replace('/'))
      return 'busy'
    }
    setTries((count) => count - 1)
    return result === 'outdated' ? 'no-connection' : result
  }
  return { tryToUnlock, isTrying: tries > 0, hasUnlocked }
}

const isKey = (action: CalculatorAction): action is CalculatorKey =>
  typeof action === 'string' && action !== 'clearHistory'

const tellPasswordMode = ({ show }: Announcer): void =>
  void show({ title: 'Password Mode: Enter your numeric password' })

/** Handles entries in password mode, which discreet mode does not have. */
function usePasswordMode(
  tryToUnlock: (entry: string, onRight: () => void) => Promise<UnlockResult>,
  early: string | null,
  isDiscreet: boolean,
  announcer: Announcer,
) {
  const { isSignedOut } = useAuth()
  const navigate = useNavigate()
  const [isAsked, setIsAsked] = useState(useStartInPasswordMode() || early !== null)
  const [entry, setEntry] = useState((early ?? '').slice(0, limits.pinMaxLength))
  const [isChecking, setIsChecking] = useState(false)
  const [refusals, setRefusals] = useState(0)

  const leave = () => {
    setIsAsked(false)
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
    // Another device turned discreet mode on, and this page has just received the change.
    if (isDiscreetDevice()) return
    if (result === 'no-session') void navigate('/auth')
    if (result === 'no-connection') {
      announcer.show({ title: 'No connection', description: 'Please try again', variant: 'destructive' })
    }
    if (result !== 'wrong') return
    announcer.show({ title: 'Invalid Password', description: 'Please try again', variant: 'destructive' })
    setRefusals((count) => count + 1)
    setEntry('')
  }

  return {
    isOn: isAsked && !isDiscreet,
    count: isDiscreet ? 0 : entry.length,
    isChecking,
    refusals,
    enter: () => {
      setIsAsked(true)
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
