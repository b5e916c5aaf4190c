import { registrationLimits as limits } from '@sumlock/contracts/registration-limits'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { asApiError } from '../../api/base-api.ts'
import { faultOf, loadAccountFields } from '../../shared/lib/field-rules.ts'
import type { AccountFields } from '../../shared/lib/field-rules.ts'
import { useForm } from '../../shared/lib/use-form.ts'
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

function faultsIn(values: Record<'newPassword' | 'confirmPassword', string>, rules: AccountFields) {
  const { newPassword, confirmPassword } = values
  if (newPassword === '') return { newPassword: 'Please enter a new password' }
  const fault = faultOf(rules.password, newPassword)
  if (fault) return { newPassword: fault }
  return newPassword === confirmPassword ? {} : { confirmPassword: 'Passwords do not match' }
}

/** Sets a new account password with the token in the page's own address. */
export function ResetPasswordScreen() {
  const [params] = useSearchParams()
  const token = params.get('token')
  const { refresh } = useAuth()
  const [reset] = useResetPasswordMutation()
  const [isDone, setIsDone] = useState(false)
  const [needsLink, setNeedsLink] = useState(!token)
  const goToSignIn = useRedirectToSignIn(isDone)

  const { props, field, faults, isBusy } = useForm({
    fields: ['newPassword', 'confirmPassword'],
    load: loadAccountFields,
    check: (values, rules) => (token ? faultsIn(values, rules) : { form: invalidLink }),
    send: async ({ newPassword }) => {
      await reset({ token: token ?? '', newPassword }).unwrap()
      // The reset may also have ended this browser's own session.
      await refresh()
      setIsDone(true)
    },
    refused: (sentence, error) => {
      setNeedsLink(asApiError(error)?.code === 'link_invalid')
      return { form: sentence }
    },
    fallback: 'Failed to reset password. Please try again.',
  })
  const failure = token ? faults.form : invalidLink

  if (isDone)
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
      <form className="mb-2 space-y-4" {...props}>
        <TextField
          label="New Password"
          {...field('newPassword')}
          type="password"
          autoComplete="new-password"
          hint={`Must be at least ${limits.passwordMinLength} characters long`}
        />
        <TextField
          label="Confirm New Password"
          {...field('confirmPassword')}
          type="password"
          autoComplete="new-password"
        />
        <div role="alert">{failure && <Notice kind="error">{failure}</Notice>}</div>
        <Button type="submit" className="w-full" isBusy={isBusy}>
          {isBusy ? 'Resetting Password...' : 'Reset Password'}
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
