import { useEffect } from 'react'
import { useNavigate } from 'react-router-dom'
import { CalculatorView } from '../calculator/CalculatorView.tsx'
import { SideMenu } from '../calculator/SideMenu.tsx'
import { useKeyboard } from '../calculator/use-keyboard.ts'
import { LegalModal } from '../legal/LegalModal.tsx'
import { useAuth } from '../session/auth-context.ts'
import { isDiscreetDevice } from '../session/known-device.ts'
import { PasswordDisplay } from './PasswordDisplay.tsx'
import { isSetupRedirectSuppressed } from './setup-redirect.ts'
import { useCalculator } from './use-calculator.ts'
import { useLockOnArrival } from './use-lock-on-arrival.ts'

/** The calculator at `/`. */
export function CalculatorScreen() {
  const { user } = useAuth()
  const navigate = useNavigate()
  const { state, passwordMode, count, isChecking, isTrying, hasUnlocked, onKey } = useCalculator()
  useLockOnArrival(hasUnlocked, isTrying)
  useKeyboard(onKey)

  useEffect(() => {
    if (user && !user.isSetupComplete && !isSetupRedirectSuppressed()) void navigate('/settings')
  }, [user, navigate])

  return (
    <>
      <CalculatorView
        state={state}
        display={
          passwordMode ? (
            <PasswordDisplay count={count} isChecking={isChecking} isDiscreet={isDiscreetDevice()} />
          ) : undefined
        }
        onKey={onKey}
        onSwipe={() => onKey('backspace')}
        menu={<SideMenu onSettings={() => void navigate('/settings')} />}
      />
      <LegalModal />
    </>
  )
}
