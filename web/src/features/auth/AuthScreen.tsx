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
import { useForm } from '../../shared/lib/use-form.ts'
import { PhoneStep } from './PhoneStep.tsx'
import { SignInForm } from './SignInForm.tsx'
import { SignUpForm } from './SignUpForm.tsx'
import { loadSignUpRules } from './sign-up-rules.ts'
import { usePhoneCode } from './use-phone-code.ts'
import { signUpFields, validateRegistration } from './validate-registration.ts'
import { usePage } from '../../page.ts'

const tabClass =
  'min-h-11 flex-1 rounded-lg font-medium text-ink-2 transition data-[state=active]:bg-surface dark:data-[state=active]:bg-line data-[state=active]:text-ink data-[state=active]:shadow-sm'

/** Lets a person sign in, or sign up with a verified phone. A signed-in person is sent to the calculator. */
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
  // The sign-up needs the tables of the phone library, so it is loaded when its tab is first chosen.
  const [isSignUpShown, setIsSignUpShown] = useState(false)
  const onForm = () => signUpTab.current?.focus()
  const { registration, form, codes, ...steps } = useSignUp({ onForm, isHidden: !isSignUpShown })
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
          onBack={steps.backToForm}
          onChange={steps.backToPhone}
        />
      )}
      {/* The form is hidden instead of removed, so that going back does not empty it. */}
      <Tabs.Root defaultValue="sign-in" hidden={isVerifying} onValueChange={() => setIsSignUpShown(true)}>
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
        <Tabs.Content
          value="sign-up"
          tabIndex={-1}
          {...(isSignUpShown && { forceMount: true })}
          className="data-[state=inactive]:hidden"
        >
          <SignUpForm form={form} />
        </Tabs.Content>
      </Tabs.Root>
    </section>
  )
}

/**
 * Manages the sign-up: a valid form leads to the phone step, and a verified phone creates the account. `onForm` moves
 * the focus when the person comes back to the form and no field takes it.
 */
function useSignUp({ onForm, isHidden }: { onForm: () => void; isHidden: boolean }) {
  const { toast } = usePage().toasts
  const { register } = useAuth()
  const navigate = useNavigate()
  const codes = usePhoneCode()
  const [registration, setRegistration] = useState<Registration | null>(null)
  const form = useForm({
    fields: signUpFields,
    load: loadSignUpRules,
    isHidden,
    check: (values, rules) => validateRegistration(values, rules).faults,
    send: (values, rules) => begin(validateRegistration(values, rules).registration),
    refused: (sentence, error) => {
      toast({ title: 'Registration failed', description: sentence, variant: 'destructive' })
      return asApiError(error)?.code === 'username_taken' ? { username: sentence } : {}
    },
  })

  const backToForm = () => {
    flushSync(() => setRegistration(null))
    onForm()
  }
  const backToPhone = () => {
    backToForm()
    focusField(form.props.ref.current, 'phone')
  }
  const finish = async (data: Registration) => {
    try {
      await register(data)
      void navigate('/settings')
    } catch (error) {
      if (asApiError(error)?.code === 'phone_not_verified') codes.forgetProof()
      backToForm()
      form.fail(error)
    }
  }
  /** Sends no new code if the number was verified before the server refused another field. */
  const begin = (data: Registration) => {
    if (codes.isVerified(data.phone)) return finish(data)
    setRegistration(data)
    codes.begin(data.phone)
  }
  return { registration, form, codes, backToForm, backToPhone, finish }
}
