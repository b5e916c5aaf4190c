import { useEffect, useId } from 'react'
import { sentenceOf } from '../../api/base-api.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { MailIcon } from '../../shared/ui/icons.tsx'
import { toast } from '../../shared/ui/toast.ts'
import { useAuth } from '../session/auth-context.ts'
import { useResendVerificationMutation } from './settings-api.ts'

/** Asks to verify the e-mail address, and leaves when that was done in another tab or on another device. */
export function VerifyEmailBanner({ email }: { email: string }) {
  const { refresh } = useAuth()
  const [resend, { isLoading }] = useResendVerificationMutation()
  const id = useId()
  useEffect(() => {
    const onShow = () => {
      if (!document.hidden) void refresh()
    }
    document.addEventListener('visibilitychange', onShow)
    return () => document.removeEventListener('visibilitychange', onShow)
  }, [refresh])

  const send = async () => {
    try {
      await resend().unwrap()
      toast({ title: 'Verification Email Sent', description: 'Please check your inbox and spam folder' })
    } catch (error) {
      const description = sentenceOf(error, 'Please try again later')
      toast({ title: 'Failed to Send Email', description, variant: 'destructive' })
    }
  }
  return (
    <section aria-labelledby={id} className="rounded-2xl border border-warn-line bg-warn-soft p-4 text-warn">
      <div className="flex gap-3">
        <MailIcon className="shrink-0" />
        <div className="min-w-0 flex-1">
          <h2 id={id} className="font-semibold">
            Verify your email address
          </h2>
          <p className="mt-0.5 text-sm break-words">We sent a link to {email}.</p>
        </div>
      </div>
      <Button className="mt-3 w-full" isBusy={isLoading} onClick={() => void send()}>
        Resend Verification Email
      </Button>
    </section>
  )
}
