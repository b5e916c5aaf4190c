import { pinLimits as limits } from '@sumlock/contracts/pin-limits'
import { useCallback, useReducer, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { dismissToast, toast } from '../../shared/ui/toast.ts'
import { initialCalculator, isDigitsOnly, reduceCalculator } from '../calculator/machine.ts'
import type { CalculatorKey } from '../calculator/machine.ts'
import { useAuth } from '../session/auth-context.ts'
import { isKnownDevice } from '../session/known-device.ts'
import { useSilentCheck } from './use-silent-check.ts'
import { useUnlock } from './use-unlock.ts'

/** The calculator with its second face: password mode, and digits that unlock. */
export function useCalculator() {
  const { user } = useAuth()
  const navigate = useNavigate()
  const location = useLocation()
  const unlock = useUnlock()
  const startsInPasswordMode = (location.state as { passwordMode?: boolean } | null)?.passwordMode === true
  const [state, press] = useReducer(reduceCalculator, initialCalculator)
  const [passwordMode, setPasswordMode] = useState(startsInPasswordMode)
  const [entry, setEntry] = useState('')
  // Somebody whose session ran out still finds the way in; on a strange device there is only a calculator.
  const mayUnlock = user?.isSetupComplete === true
  const mayEnterPasswordMode = mayUnlock || (user === null && isKnownDevice())

  const onHint = useCallback(() => toast({ title: 'Hint: Press = to Unlock', durationMs: 8000 }), [])
  const digits = !passwordMode && isDigitsOnly(state) ? state.keystrokes : ''
  useSilentCheck({ digits, isAllowed: mayUnlock && user.silentCheck, onHint })

  const clearEverything = () => {
    dismissToast()
    press('clearAll')
    setPasswordMode(false)
    setEntry('')
  }
  const submit = async () => {
    if (entry === '') return
    if (!user) {
      void navigate('/auth')
      return
    }
    const result = await unlock(entry, 'password-mode', clearEverything)
    if (result === 'no-session') void navigate('/auth')
    if (result === 'no-connection') {
      toast({ title: 'No connection', description: 'Please try again', variant: 'destructive' })
    }
    if (result !== 'wrong') return
    toast({ title: 'Invalid Password', description: 'Please try again', variant: 'destructive' })
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
    if (passwordMode) {
      pressInPasswordMode(key)
      return
    }
    const isIdle = state.display === '0' && state.pendingOperator === null && state.keystrokes === ''
    if (key === '+' && isIdle && mayEnterPasswordMode) {
      press('C')
      setPasswordMode(true)
      toast({ title: 'Password Mode: Enter your numeric password' })
      return
    }
    const mightBePin = digits.length >= limits.pinMinLength && digits.length <= limits.pinMaxLength
    if (key === '=' && mayUnlock && mightBePin) void unlock(digits, 'digits', clearEverything)
    press(key)
  }

  return { state, passwordMode, masked: '•'.repeat(entry.length), onKey }
}
