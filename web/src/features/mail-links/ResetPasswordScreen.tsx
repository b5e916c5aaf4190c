import { registrationLimits as limits } from '@sumlock/contracts/registration-limits'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { useSearchParams } from 'react-router-dom'
import { asApiError, sentenceOf } from '../../api/base-api.ts'
import { faultOf, loadAccountFields, noRules, useRules } from '../../shared/lib/field-rules.ts'
import type { AccountFields } from '../../shared/lib/field-rules.ts'
import { focusField, stillFaulty, textOf } from '../../shared/lib/form-fields.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { CheckIcon, KeyIcon } from '../../shared/ui/icons.tsx'
import { Notice } from '../../shared/ui/Notice.tsx'
import { TextField } from '../../shared/ui/TextField.tsx'
import { useAuth } from '../session/auth-context.ts'
import { ForgotPasswordDialog } from './ForgotPasswordDialog.tsx'
import { useResetPasswordMutation } from './mail-links-api.ts'
import { MailLinkCard } from './MailLinkCard.tsx'
import { useRedirectToSignIn } from './use-redirect-to-sign-in.ts'

const invalidLink = 'Invalid reset link. Please request a new password reset.'

interface Faults {
  newPassword?: string
  confirmPassword?: string
}

function faultsIn(form: HTMLFormElement, rules: AccountFields): Faults {
  const newPassword = textOf(form, 'newPassword')
  if (newPassword === '') return { newPassword: 'Please enter a new password' }
  const fault = faultOf(rules.password, newPassword)
  if (fault) return { newPassword: fault }
  if (textOf(form, 'confirmPassword') !== newPassword) return { confirmPassword: 'Passwords do not match' }
  return {}
}

/** Sets a new account password by the token in the page's own address. */
export function ResetPasswordScreen() {
  const [params] = useSearchParams()
  const token = params.get('token')
  const { refresh } = useAuth()
  const [reset] = useResetPasswordMutation()
  const rules = useRules(loadAccountFields)
  const [step, setStep] = useState<'form' | 'busy' | 'done'>('form')
  const [faults, setFaults] = useState<Faults>({})
  const [failure, setFailure] = useState(token ? undefined : invalidLink)
  const [needsLink, setNeedsLink] = useState(!token)
  const goToSignIn = useRedirectToSignIn(step === 'done')

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!token) return
    const form = event.currentTarget
    const loaded = await rules.get()
    setFailure(loaded ? undefined : noRules)
    if (!loaded) return
    const found = faultsIn(form, loaded)
    setFaults(found)
    const [first] = Object.keys(found)
    if (first !== undefined) {
      focusField(form, first)
      return
    }
    setStep('busy')
    try {
      await reset({ token, newPassword: textOf(form, 'newPassword') }).unwrap()
      // This browser's own session may be one of those that have ended.
      await refresh()
      setStep('done')
    } catch (error) {
      setStep('form')
      setFailure(sentenceOf(error, 'Failed to reset password. Please try again.'))
      setNeedsLink(asApiError(error)?.code === 'link_invalid')
    }
  }

  if (step === 'done')
    return (
      <MailLinkCard
        icon={<CheckIcon size={32} />}
        title="Password Reset Successfully!"
        text="You are signed out on all devices. Sign in with your new password."
      >
        <Button onClick={goToSignIn}>Back to Login</Button>
      </MailLinkCard>
    )
  return (
    <MailLinkCard icon={<KeyIcon size={32} />} title="Reset Your Password">
      <form
        className="mb-2 space-y-4"
        noValidate
        onSubmit={(event) => void submit(event)}
        onInput={({ currentTarget }) => {
          const { current } = rules.loaded
          if (current) setFaults(stillFaulty(faults, faultsIn(currentTarget, current)))
        }}
      >
        <TextField
          label="New Password"
          name="newPassword"
          type="password"
          autoComplete="new-password"
          hint={`Must be at least ${limits.passwordMinLength} characters long`}
          error={faults.newPassword}
        />
        <TextField
          label="Confirm New Password"
          name="confirmPassword"
          type="password"
          autoComplete="new-password"
          error={faults.confirmPassword}
        />
        <div role="alert">{failure && <Notice kind="error">{failure}</Notice>}</div>
        <Button type="submit" className="w-full" isBusy={step === 'busy'}>
          {step === 'busy' ? 'Resetting Password...' : 'Reset Password'}
        </Button>
      </form>
      {needsLink && <NewLink />}
      <Button variant="ghost" onClick={goToSignIn}>
        Back to Login
      </Button>
    </MailLinkCard>
  )
}

function NewLink() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="secondary" onClick={() => setIsOpen(true)}>
        Request a new link
      </Button>
      <ForgotPasswordDialog open={isOpen} onClose={() => setIsOpen(false)} />
    </>
  )
}
