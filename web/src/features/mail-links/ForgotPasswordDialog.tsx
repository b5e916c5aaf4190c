import { useEffect, useRef } from 'react'
import { faultOf, loadAccountFields } from '../../shared/lib/field-rules.ts'
import { useForm } from '../../shared/lib/use-form.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { TextField } from '../../shared/ui/TextField.tsx'
import { useRequestPasswordResetMutation } from './mail-links-api.ts'
import { usePage } from '../../page.ts'

const closeAfterMs = 2000
const missing = 'Please enter your email address'
const sentText = "If an account with that email exists, you'll receive a password reset link shortly."

export interface ForgotPasswordDialogProps {
  open: boolean
  onClose: () => void
}

/** Sends a reset link to the address that the person enters, and closes by itself two seconds later. */
export function ForgotPasswordDialog({ open, onClose }: ForgotPasswordDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onClose} title="Reset your password">
      <ResetRequest onClose={onClose} />
    </Dialog>
  )
}

function ResetRequest({ onClose }: { onClose: () => void }) {
  const { toast } = usePage().toasts
  const [send, { isSuccess }] = useRequestPasswordResetMutation()
  const refuse = (title: string, description: string) => toast({ title, description, variant: 'destructive' })
  const { props, field, isBusy } = useForm({
    fields: ['email'],
    load: loadAccountFields,
    // An empty value needs no trim, because the browser removes blanks in an e-mail field.
    check: ({ email }, rules) => ({ email: email === '' ? missing : faultOf(rules.email, email) }),
    onFault: (sentence) => refuse(sentence === missing ? 'Email required' : 'Error', sentence),
    send: async ({ email }) => {
      await send(email).unwrap()
      toast({ title: 'Password Reset Email Sent', description: sentText })
    },
    refused: (sentence) => {
      refuse('Error', sentence)
      return { email: sentence }
    },
    fallback: 'Failed to send reset email',
  })
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  }, [onClose])
  useEffect(() => {
    if (!isSuccess) return
    const timer = window.setTimeout(() => close.current(), closeAfterMs)
    return () => window.clearTimeout(timer)
  }, [isSuccess])

  if (isSuccess) return <p className="text-ink-2">{sentText}</p>
  return (
    <form className="space-y-4" {...props}>
      <p className="text-ink-2">We send you a link to choose a new password.</p>
      <TextField label="Email" type="email" autoComplete="email" {...field('email')} />
      <Button type="submit" className="w-full" isBusy={isBusy}>
        Send Reset Link
      </Button>
    </form>
  )
}
