import * as contract from '@sumlock/contracts/account-routes'
import { phoneProofCookie, sessionCookie } from '@sumlock/contracts/cookies'
import { exportAccount as exportContract } from '@sumlock/contracts/export-routes'
import type { RouteBinder } from '@sumlock/service-kit/bind-route'
import { serializeCookie } from '@sumlock/service-kit/parse-cookies'
import { Reply } from '@sumlock/service-kit/reply'
import type { Context } from '../context.ts'
import { changeEmail } from '../use-cases/change-email.ts'
import { changeFullName } from '../use-cases/change-full-name.ts'
import { changePhone } from '../use-cases/change-phone.ts'
import { confirmPassword } from '../use-cases/confirm-password.ts'
import { deleteAccount, keepAccount } from '../use-cases/delete-account.ts'
import { exportAccount } from '../use-cases/export-account.ts'
import { removeDeviceMarker } from './device-marker.ts'

const done = { ok: true as const }

/** Binds the routes that change or export the account. All but `keepAccount` require its password. */
export function bindChangeRoutes(bind: RouteBinder, ctx: Context): void {
  const secure = ctx.config.COOKIE_SECURE
  const proofCookie = phoneProofCookie(secure)

  bind(contract.changeFullName, async ({ body, caller }) => {
    await changeFullName(ctx, { ...caller, ...body })
    return done
  })

  bind(contract.changeEmail, async ({ body, caller }) => {
    await changeEmail(ctx, { ...caller, ...body })
    return done
  })

  bind(contract.changePhone, async ({ body, caller, meta }) => {
    await changePhone(ctx, { ...caller, ...body, proof: meta.cookies[proofCookie] })
    return new Reply(200, done, {
      'set-cookie': serializeCookie(proofCookie, '', { secure, maxAgeSeconds: 0 }),
    })
  })

  bind(contract.confirmPassword, async ({ body, caller }) => {
    await confirmPassword(ctx, { ...caller, password: body.password })
    return done
  })

  bind(contract.deleteAccount, async ({ body, caller }) => {
    await deleteAccount(ctx, { ...caller, password: body.password })
    const endSession = serializeCookie(sessionCookie(secure), '', { secure, maxAgeSeconds: 0 })
    return new Reply(200, done, { 'set-cookie': [endSession, removeDeviceMarker(ctx.config)] })
  })

  bind(exportContract, ({ body, caller }) => exportAccount(ctx, { ...caller, password: body.password }))

  bind(contract.keepAccount, async ({ caller }) => {
    await keepAccount(ctx, caller)
    return done
  })
}
