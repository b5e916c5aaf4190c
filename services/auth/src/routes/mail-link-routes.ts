import * as contract from '@sumlock/contracts/mail-link-routes'
import type { RouteBinder } from '@sumlock/service-kit/bind-route'
import type { Context } from '../context.ts'
import { requestPasswordReset } from '../use-cases/request-password-reset.ts'
import { resendVerification } from '../use-cases/resend-verification.ts'
import { resetPassword } from '../use-cases/reset-password.ts'
import { verifyEmail } from '../use-cases/verify-email.ts'

export function bindMailLinkRoutes(bind: RouteBinder, ctx: Context): void {
  bind(contract.verifyEmail, async ({ body }) => {
    await verifyEmail(ctx, body)
    return { message: 'Your e-mail address is verified.' }
  })

  bind(contract.resendVerification, async ({ caller }) => {
    await resendVerification(ctx, caller)
    return { message: 'Please check your inbox and spam folder' }
  })

  bind(contract.requestPasswordReset, async ({ body }) => {
    await requestPasswordReset(ctx, body)
    return {
      message: "If an account with that email exists, you'll receive a password reset link shortly.",
    }
  })

  bind(contract.resetPassword, async ({ body }) => {
    await resetPassword(ctx, body)
    return { message: 'Your password was changed. Please sign in.' }
  })
}
