import { lazy, Suspense, useEffect } from 'react'
import type { ComponentType } from 'react'
import { useNavigate } from 'react-router-dom'
import { CalculatorView } from '../calculator/CalculatorView.tsx'
import { SideMenu } from '../calculator/SideMenu.tsx'
import { useKeyboard } from '../calculator/use-keyboard.ts'
import { LegalModal } from '../legal/LegalModal.tsx'
import { usePage } from '../../page.ts'
import { useAuth } from '../session/auth-context.ts'
import { needsSetUp } from '../session/start-of.ts'
import { PasswordDisplay } from './PasswordDisplay.tsx'
import type { PracticeCoachProps } from './PracticeCoach.tsx'
import { useCalculator } from './use-calculator.ts'
import { useLockOnArrival } from './use-lock-on-arrival.ts'
import { usePractice } from './use-practice.ts'
import type { ImportNextScreen } from './try-number.ts'

// If the file cannot be loaded, the practice continues without the coach.
const PracticeCoach = lazy<ComponentType<PracticeCoachProps>>(() =>
  import('./PracticeCoach.tsx').then(
    (module) => ({ default: module.PracticeCoach }),
    () => ({ default: () => null }),
  ),
)

/** Shows the calculator at `/`, which tries entries as the person's number. */
export function CalculatorScreen({ importNext }: { importNext: ImportNextScreen }) {
  const page = usePage()
  const { user } = useAuth()
  const navigate = useNavigate()
  const practice = usePractice()
  const { state, passwordMode, count, isChecking, isEntering, isTyped, isTrying, hasUnlocked, ...keys } =
    useCalculator(practice.announcer, importNext)
  const { refusals, onKey } = keys
  useLockOnArrival(hasUnlocked, isTrying)
  useKeyboard(onKey)

  useEffect(() => {
    if (user && needsSetUp(user) && !page.isSetUpPutOff) void navigate('/settings')
  }, [page, user, navigate])

  return (
    <>
      <CalculatorView
        state={state}
        display={passwordMode ? <PasswordDisplay count={count} isChecking={isChecking} /> : undefined}
        litOperator={passwordMode ? null : undefined}
        refusals={refusals}
        isBusy={isTrying || hasUnlocked || practice.isPractising}
        onKey={onKey}
        onSwipe={() => onKey('backspace')}
        menu={<SideMenu onSettings={() => void navigate('/settings')} />}
        hint={
          practice.isPractising && (
            <Suspense>
              <PracticeCoach
                isEntering={isEntering}
                isTyped={isTyped}
                notice={practice.notice}
                onClose={practice.stop}
              />
            </Suspense>
          )
        }
      />
      <LegalModal />
    </>
  )
}
