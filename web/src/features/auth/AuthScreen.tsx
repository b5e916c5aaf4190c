import * as Tabs from '@radix-ui/react-tabs'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Navigate, useNavigate } from 'react-router-dom'
import { toastFailure } from '../../api/toast-failure.ts'
import { useAuth } from '../session/auth-context.ts'
import type { Registration } from '../session/session-api.ts'
import { ScreenTitle } from '../../shared/ui/ScreenTitle.tsx'
import { FullPageSpinner } from '../../shared/ui/Spinner.tsx'
import { PhoneStep } from './PhoneStep.tsx'
import { SignInForm } from './SignInForm.tsx'
import { SignUpForm } from './SignUpForm.tsx'

const tabClass =
  'min-h-11 flex-1 rounded-lg font-medium text-ink-2 transition data-[state=active]:bg-surface dark:data-[state=active]:bg-line data-[state=active]:text-ink data-[state=active]:shadow-sm'

/** Sign in, or sign up with a verified phone. A signed-in person is sent to the calculator. */
export function AuthScreen() {
  const { user, isLoading, register } = useAuth()
  const navigate = useNavigate()
  const [registration, setRegistration] = useState<Registration | null>(null)
  const signUpTab = useRef<HTMLButtonElement>(null)

  if (isLoading) return <FullPageSpinner />
  if (user) return <Navigate to={user.isSetupComplete ? '/' : '/settings'} replace />

  const backToForm = () => {
    flushSync(() => setRegistration(null))
    signUpTab.current?.focus()
  }
  const finish = async (data: Registration) => {
    try {
      await register(data)
      void navigate('/settings')
    } catch (error) {
      backToForm()
      toastFailure('Registration failed', error)
    }
  }

  return (
    <main className="mx-auto flex min-h-full max-w-5xl flex-col items-center justify-center gap-12 p-4 py-10 md:flex-row">
      <ScreenTitle className="sr-only">Account</ScreenTitle>
      <section className="hidden max-w-sm flex-1 md:block">
        <p className="text-4xl font-semibold tracking-tight text-balance">Everything adds up here.</p>
        <p className="mt-4 text-lg text-ink-2">
          One account keeps your settings and lets you pick up on any device, right where you left off.
        </p>
        <ul className="mt-6 space-y-2 text-ink-2">
          <li>Free to begin with</li>
          <li>Works in the browser and on the home screen</li>
          <li>For adults, 18 and over</li>
        </ul>
      </section>
      <section className="w-full max-w-sm rounded-2xl border border-line bg-surface p-5">
        {registration && (
          <PhoneStep phone={registration.phone} onVerified={() => finish(registration)} onBack={backToForm} />
        )}
        {/* Hidden instead of removed: going back must not empty the form. */}
        <Tabs.Root defaultValue="sign-in" hidden={registration !== null}>
          <Tabs.List aria-label="Account" className="mb-5 flex gap-1 rounded-xl bg-surface-2 p-1">
            <Tabs.Trigger value="sign-in" className={tabClass}>
              Sign In
            </Tabs.Trigger>
            <Tabs.Trigger ref={signUpTab} value="sign-up" className={tabClass}>
              Sign Up
            </Tabs.Trigger>
          </Tabs.List>
          <Tabs.Content value="sign-in" tabIndex={-1}>
            <SignInForm />
          </Tabs.Content>
          <Tabs.Content value="sign-up" tabIndex={-1} forceMount className="data-[state=inactive]:hidden">
            <SignUpForm onValid={setRegistration} />
          </Tabs.Content>
        </Tabs.Root>
      </section>
    </main>
  )
}
