import { useEffect, useRef, useState } from 'react'
import type { SubmitEvent } from 'react'
import { sentenceOf } from '../../api/base-api.ts'
import { faultOf, loadAccountFields, noRules, useRules } from '../../shared/lib/field-rules.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { TextField } from '../../shared/ui/TextField.tsx'
import { useRequestPasswordResetMutation } from './mail-links-api.ts'
import { usePage } from '../../page.ts'

const closeAfterMs = 2000
const sentText = "If an account with that email exists, you'll receive a password reset link shortly."

export interface ForgotPasswordDialogProps {
  open: boolean
  onClose: () => void
}

/** Asks for an address and has a link sent to it; closes by itself two seconds later. */
export function ForgotPasswordDialog({ open, onClose }: ForgotPasswordDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onClose} title="Reset your password">
      <ResetRequest onClose={onClose} />
    </Dialog>
  )
}

function ResetRequest({ onClose }: { onClose: () => void }) {
  const { toast } = usePage().toasts
  const [send, { isLoading, isSuccess }] = useRequestPasswordResetMutation()
  const rules = useRules(loadAccountFields)
  const [fault, setFault] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  }, [onClose])
  useEffect(() => {
    if (!isSuccess) return
    const timer = window.setTimeout(() => close.current(), closeAfterMs)
    return () => window.clearTimeout(timer)
  }, [isSuccess])

  const refuse = (title: string, description: string) => {
    toast({ title, description, variant: 'destructive' })
    setFault(description)
    field.current?.focus()
  }
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    // The browser has removed blanks around an e-mail address.
    const email = field.current?.value ?? ''
    if (email === '') {
      refuse('Email required', 'Please enter your email address')
      return
    }
    const loaded = await rules.get()
    const invalid = loaded ? faultOf(loaded.email, email) : noRules
    if (invalid) return refuse('Error', invalid)
    try {
      await send(email).unwrap()
      toast({ title: 'Password Reset Email Sent', description: sentText })
    } catch (error) {
      refuse('Error', sentenceOf(error, 'Failed to send reset email'))
    }
  }
  if (isSuccess) return <p className="text-ink-2">{sentText}</p>
  return (
    <form className="space-y-4" noValidate onSubmit={(event) => void submit(event)}>
      <p className="text-ink-2">We send you a link to choose a new password.</p>
      <TextField
        ref={field}
        label="Email"
        name="email"
        type="email"
        autoComplete="email"
        error={fault}
        onChange={() => setFault(undefined)}
      />
      <Button type="submit" className="w-full" isBusy={isLoading}>
        Send Reset Link
      </Button>
    </form>
  )
}
