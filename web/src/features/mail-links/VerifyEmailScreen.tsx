import { isWholeUser } from '@sumlock/contracts/is-whole-user'
import { Suspense, useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import { sentenceOf } from '../../api/base-api.ts'
import { usePage } from '../../page.ts'
import type { Toasts } from '../../shared/ui/toasts.ts'
import { importModule } from '../device/import-module.ts'
import { lazyPart } from '../../shared/lib/lazy-part.tsx'
import { Button } from '../../shared/ui/Button.tsx'
import { CheckIcon, ErrorIcon, MailIcon } from '../../shared/ui/icons.tsx'
import { useAuth } from '../session/auth-context.ts'
import { useVerifyEmailMutation } from './mail-links-api.ts'
import { MailLinkCard } from './MailLinkCard.tsx'
import { useRedirectToSignIn } from './use-redirect-to-sign-in.ts'

// This button has a chunk of its own, because its toast contains a word that no chunk before the sign-in may contain.
const ResendVerificationButton = lazyPart(
  async () => (await importModule(() => import('./ResendVerificationButton.tsx'))).ResendVerificationButton,
)

/** Verifies an e-mail address with the token in the page's own address. */
export function VerifyEmailScreen() {
  const { toasts } = usePage()
  const [params] = useSearchParams()
  const token = params.get('token')
  const { user, isSignedOut } = useAuth()
  const [verify, { isSuccess, error }] = useVerifyEmailMutation()
  // Only a signed-out person is redirected: the sign-in would lead a signed-in person on to the calculator, which locks
  // every tab.
  const goToSignIn = useRedirectToSignIn(isSuccess && isSignedOut)
  const sent = useRef<string>(null)
  useEffect(() => {
    // React may run an effect twice, but a token works only once.
    if (!token || sent.current === token) return
    sent.current = token
    verify(token)
      .unwrap()
      .then(
        () => toastSuccess(toasts),
        () => toastFailure(toasts),
      )
  }, [token, verify, toasts])

  if (isSuccess)
    return (
      <MailLinkCard
        icon={<CheckIcon size={32} />}
        title="Email Verified!"
        {...(user && { text: 'You can close this page.' })}
      >
        <Button onClick={goToSignIn}>Go to Login Now</Button>
      </MailLinkCard>
    )
  if (token && !error)
    return (
      <MailLinkCard
        icon={<MailIcon size={32} className="animate-pulse" />}
        title="Verifying Your Email"
        text="This takes a moment."
      />
    )
  const mayResend = user && isWholeUser(user) && !user.isEmailVerified
  const text = token
    ? sentenceOf(error, 'Failed to verify email. The link may be invalid or expired.')
    : 'No verification token provided'
  return (
    <MailLinkCard icon={<ErrorIcon size={32} />} title="Verification Failed" text={text} isFailure>
      {mayResend && (
        <Suspense>
          <ResendVerificationButton />
        </Suspense>
      )}
      <Button variant={mayResend ? 'ghost' : 'primary'} onClick={goToSignIn}>
        Back to Login
      </Button>
      <p className="mt-2 text-center text-sm text-ink-2">
        Please contact support, or log in to resend the verification email.
      </p>
    </MailLinkCard>
  )
}

const toastSuccess = ({ toast }: Toasts) =>
  toast({
    title: 'Email Verified!',
    description: 'You can now access all features of the app',
    outlivesScreen: true,
  })

const toastFailure = ({ toast }: Toasts) =>
  toast({
    title: 'Verification Failed',
    description: 'Please try again or request a new verification email',
    variant: 'destructive',
  })
