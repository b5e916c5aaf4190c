import * as Tabs from '@radix-ui/react-tabs'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Navigate, useNavigate } from 'react-router-dom'
import { asApiError } from '../../api/base-api.ts'
import { AppIcon } from '../../shared/ui/AppIcon.tsx'
import { BackIcon } from '../../shared/ui/icons.tsx'
import { ScreenTitle } from '../../shared/ui/ScreenTitle.tsx'
import { FullPageSpinner } from '../../shared/ui/Spinner.tsx'
import { TipButton } from '../../shared/ui/TipButton.tsx'
import { LegalLinks } from '../legal/LegalLinks.tsx'
import { useAuth } from '../session/auth-context.ts'
import { startOf } from '../session/start-of.ts'
import type { Registration } from '../session/session-api.ts'
import { focusField } from '../../shared/lib/form-fields.ts'
import { PhoneStep } from './PhoneStep.tsx'
import { SignInForm } from './SignInForm.tsx'
import { SignUpForm } from './SignUpForm.tsx'
import { usePhoneCode } from './use-phone-code.ts'
import { refusedFields } from './validate-registration.ts'
import type { RegistrationFaults } from './validate-registration.ts'
import { usePage } from '../../page.ts'

const tabClass =
  'min-h-11 flex-1 rounded-lg font-medium text-ink-2 transition data-[state=active]:bg-surface dark:data-[state=active]:bg-line data-[state=active]:text-ink data-[state=active]:shadow-sm'

/** Sign in, or sign up with a verified phone. A signed-in person is sent to the calculator. */
export function AuthScreen() {
  const { user, isLoading } = useAuth()
  const navigate = useNavigate()
  if (isLoading) return <FullPageSpinner />
  if (user) return <Navigate to={startOf(user)} replace />
  return (
    <div className="flex min-h-full flex-col">
      <header className="px-2 pt-[max(0.375rem,env(safe-area-inset-top))]">
        <TipButton label="Back to the calculator" onClick={() => void navigate('/')}>
          <BackIcon />
        </TipButton>
      </header>
      <main className="mx-auto flex w-full max-w-5xl flex-1 items-center justify-center gap-16 px-4 pb-8 lg:px-8">
        <Introduction />
        <div className="w-full max-w-[26.25rem]">
          <AccountCard />
          <LegalLinks className="mt-3 justify-center" />
        </div>
      </main>
    </div>
  )
}

function Introduction() {
  return (
    <section aria-label="About the account" className="hidden max-w-sm flex-1 lg:block">
      <p className="text-4xl font-semibold tracking-tight text-balance">Everything adds up here.</p>
      <p className="mt-4 text-lg text-ink-2">
        One account keeps your settings and lets you pick up on any device, right where you left off.
      </p>
      <ul className="mt-6 space-y-2 text-ink-2">
        <li>Free to begin with</li>
        <li>Works in the browser and on the home screen</li>
        <li>No advertising</li>
      </ul>
    </section>
  )
}

function AccountCard() {
  const signUpTab = useRef<HTMLButtonElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const { registration, faults, setFaults, isRegistering, codes, ...steps } = useSignUp((field) => {
    if (field === undefined) signUpTab.current?.focus()
    else focusField(form.current, field)
  })
  const isVerifying = registration !== null
  return (
    <section className="rounded-2xl border border-line bg-surface p-5 sm:p-6">
      <div className="mb-5 flex flex-col items-center gap-2">
        <AppIcon />
        <ScreenTitle className="text-xl font-semibold">Calculator</ScreenTitle>
      </div>
      {isVerifying && codes.code && (
        <PhoneStep
          code={codes.code}
          codes={codes}
          onVerified={() => steps.finish(registration)}
          onBack={() => steps.backToForm()}
          onChange={() => steps.backToForm('phone')}
        />
      )}
      {/* Hidden instead of removed: going back must not empty the form. */}
      <Tabs.Root defaultValue="sign-in" hidden={isVerifying}>
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
          <SignUpForm
            ref={form}
            faults={faults}
            isBusy={isRegistering}
            onFaults={setFaults}
            onValid={steps.begin}
          />
        </Tabs.Content>
      </Tabs.Root>
    </section>
  )
}

/** The way from a valid form over the phone step to the account, and back: `onForm` names the field to correct. */
function useSignUp(onForm: (field?: string) => void) {
  const { toastFailure } = usePage().toasts
  const { register } = useAuth()
  const navigate = useNavigate()
  const codes = usePhoneCode()
  const [registration, setRegistration] = useState<Registration | null>(null)
  const [faults, setFaults] = useState<RegistrationFaults>({})
  const [isRegistering, setIsRegistering] = useState(false)

  const backToForm = (field?: string) => {
    flushSync(() => setRegistration(null))
    onForm(field)
  }
  const finish = async (data: Registration) => {
    setIsRegistering(true)
    try {
      await register(data)
      void navigate('/settings')
    } catch (error) {
      const known = asApiError(error)
      if (known?.code === 'phone_not_verified') codes.forgetProof()
      const found = known ? refusedFields(known) : {}
      setFaults(found)
      backToForm(Object.keys(found)[0])
      toastFailure('Registration failed', error)
    }
    setIsRegistering(false)
  }
  /** Without a new code if the number was verified before the server refused another field. */
  const begin = (data: Registration) => {
    if (codes.isVerified(data.phone)) {
      void finish(data)
      return
    }
    setRegistration(data)
    codes.begin(data.phone)
  }
  return { registration, faults, setFaults, isRegistering, codes, backToForm, finish, begin }
}
