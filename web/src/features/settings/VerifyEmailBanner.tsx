import { useEffect, useId } from 'react'
import { MailIcon } from '../../shared/ui/icons.tsx'
import { useAuth } from '../session/auth-context.ts'
import { ResendVerificationButton } from '../mail-links/ResendVerificationButton.tsx'

/**
 * Reminds the person to verify the e-mail address. The banner disappears once that was done, also in another tab or on
 * another device.
 */
export function VerifyEmailBanner({ email }: { email: string }) {
  const { refresh } = useAuth()
  const id = useId()
  useEffect(() => {
    const onShow = () => {
      if (!document.hidden) void refresh()
    }
    document.addEventListener('visibilitychange', onShow)
    return () => document.removeEventListener('visibilitychange', onShow)
  }, [refresh])

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
      <ResendVerificationButton variant="secondary" className="mt-3 w-full" />
    </section>
  )
}
