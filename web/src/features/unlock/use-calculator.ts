import { pinLimits as limits } from '@sumlock/contracts/pin-limits'
import { useCallback, useReducer, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { dismissToast, toast } from '../../shared/ui/toast.ts'
import { isDigitsOnly, reduceCalculator } from '../calculator/machine.ts'
import type { CalculatorKey } from '../calculator/machine.ts'
import { startingCalculator, useKeptHistory } from '../calculator/use-kept-history.ts'
import { useAuth } from '../session/auth-context.ts'
import { isDiscreetDevice, isKnownDevice } from '../session/known-device.ts'
import { useSilentCheck } from './use-silent-check.ts'
import { useStartInPasswordMode } from './use-start-in-password-mode.ts'
import { useUnlock } from './use-unlock.ts'
import type { EntryKind } from './use-unlock.ts'

/** The calculator with password mode and silent checks. */
export function useCalculator() {
  const { user, isSignedOut } = useAuth()
  const navigate = useNavigate()
  const unlock = useUnlock()
  const [state, press] = useReducer(reduceCalculator, undefined, startingCalculator)
  useKeptHistory(state.history)
  const [passwordMode, setPasswordMode] = useState(useStartInPasswordMode())
  const [entry, setEntry] = useState('')
  const [isChecking, setIsChecking] = useState(false)
  const [hasUnlocked, setHasUnlocked] = useState(false)
  const [tries, setTries] = useState(0)
  // Keep password mode available when the server cannot be reached or the session has expired.
  const mayEnterPasswordMode = user ? user.isSetupComplete : isKnownDevice()
  const mayUnlock = mayEnterPasswordMode && !isSignedOut

  const onHint = useCallback(() => toast({ title: 'Hint: Press = to Unlock', durationMs: 8000 }), [])
  const digits = !passwordMode && isDigitsOnly(state) ? state.keystrokes : ''
  useSilentCheck({ digits, isAllowed: user?.isSetupComplete === true && user.silentCheck, onHint })

  const leaveCalculator = () => {
    dismissToast()
    press('clearAll')
    setPasswordMode(false)
    setEntry('')
    setHasUnlocked(true)
  }
  const tryToUnlock = async (number: string, kind: EntryKind) => {
    setTries((count) => count + 1)
    const result = await unlock(number, kind, leaveCalculator)
    setTries((count) => count - 1)
    return result
  }
  const submit = async () => {
    if (entry === '') return
    if (isSignedOut) {
      void navigate('/auth')
      return
    }
    setIsChecking(true)
    const result = await tryToUnlock(entry, 'password-mode')
    if (result === 'busy') return
    setIsChecking(false)
    if (result === 'no-session') void navigate('/auth')
    if (result === 'no-connection') {
      toast({ title: 'No connection', description: 'Please try again', variant: 'destructive' })
    }
    if (result !== 'wrong') return
    if (!isDiscreetDevice()) {
      toast({ title: 'Invalid Password', description: 'Please try again', variant: 'destructive' })
    }
    setEntry('')
  }
  const pressInPasswordMode = (key: CalculatorKey) => {
    if (key === 'C') {
      dismissToast()
      setPasswordMode(false)
      setEntry('')
    } else if (key === '=') void submit()
    else if (key === 'backspace') setEntry((typed) => typed.slice(0, -1))
    else if (/^\d$/.test(key)) setEntry((typed) => (typed.length < limits.pinMaxLength ? typed + key : typed))
  }

  const onKey = (key: CalculatorKey) => {
    if (isChecking) return
    if (passwordMode) {
      pressInPasswordMode(key)
      return
    }
    const isIdle = state.display === '0' && state.pendingOperator === null && state.keystrokes === ''
    if (key === '+' && isIdle && mayEnterPasswordMode) {
      press('C')
      setPasswordMode(true)
      if (!isDiscreetDevice()) toast({ title: 'Password Mode: Enter your numeric password' })
      return
    }
    const mightBePin = digits.length >= limits.pinMinLength && digits.length <= limits.pinMaxLength
    if (key === '=' && mayUnlock && mightBePin) void tryToUnlock(digits, 'digits')
    press(key)
  }

  return {
    state,
    passwordMode,
    masked: '•'.repeat(entry.length),
    isChecking,
    isTrying: tries > 0,
    hasUnlocked,
    onKey,
  }
}
