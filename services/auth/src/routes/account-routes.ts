import * as contract from '@sumlock/contracts/auth-routes'
import { phoneProofCookie, sessionCookie } from '@sumlock/contracts/cookies'
import { limits } from '@sumlock/contracts/limits'
import type { RequestMeta, RouteBinder } from '@sumlock/service-kit/bind-route'
import { serializeCookie } from '@sumlock/service-kit/parse-cookies'
import { Reply } from '@sumlock/service-kit/reply'
import type { Context } from '../context.ts'
import { noSession } from '@sumlock/service-kit/app-error'
import { formatUserCode } from '../domain/user-code.ts'
import { toAccount, toVisibleAccount } from '../domain/user.ts'
import type { User } from '../domain/user.ts'
import { login } from '../use-cases/login.ts'
import { openSession } from '../use-cases/open-session.ts'
import { register } from '../use-cases/register.ts'
import { writeMailsSoon } from '../use-cases/request-mail-link.ts'
import { requestSignInNotice } from '../use-cases/request-notice.ts'
import { requestPhoneCode } from '../use-cases/request-phone-code.ts'
import { revokeSession } from '../use-cases/revoke-session.ts'
import { rotateUserCode } from '../use-cases/rotate-user-code.ts'
import { verifyPhoneCode } from '../use-cases/verify-phone-code.ts'
import { removeDeviceMarker, setDeviceMarker } from './device-marker.ts'

export function bindAccountRoutes(bind: RouteBinder, ctx: Context): void {
  const secure = ctx.config.COOKIE_SECURE
  const sid = sessionCookie(secure)
  const phone = phoneProofCookie(secure)
  const setCookie = cookieSetter(ctx)

  const budgetOf = async (userId: string) => (await ctx.unlockBudgets.read(userId))?.budget

  const signedIn = async (user: User, status: number, meta: RequestMeta) => {
    const { userAgent, clientAddress: address } = meta
    const browser = { previousCookie: meta.cookies[sid], userAgent, address }
    const { session, cookie } = await openSession(ctx, user, browser)
    const sessionSeconds = limits.sessionLifetimeDays * 86_400
    const cookies = [
      setCookie(sid, cookie, sessionSeconds),
      setCookie(phone, '', 0),
      setDeviceMarker(ctx.config, user.isDiscreet),
    ]
    const account = toAccount(user, session, ctx.clock.now(), await budgetOf(user._id))
    return new Reply(status, account, { 'set-cookie': cookies })
  }

  bind(contract.getUser, async ({ caller }) => {
    const now = ctx.clock.now()
    const [user, session, budget] = await Promise.all([
      ctx.users.byId(caller.userId),
      ctx.sessions.byId(caller.sessionId, now),
      budgetOf(caller.userId),
    ])
    if (!user || !session) throw noSession()
    return toVisibleAccount(user, session, now, budget)
  })

  bind(contract.register, async ({ body, meta }) => {
    const user = await register(ctx, { ...body, proof: meta.cookies[phone] })
    const answer = await signedIn(user, 201, meta)
    writeMailsSoon(ctx)
    return answer
  })

  bind(contract.login, async ({ body, meta }) => {
    const user = await login(ctx, { ...body, previousCookie: meta.cookies[sid] })
    const answer = await signedIn(user, 200, meta)
    ctx.security.note('signed-in', user._id)
    ctx.background.run('sign-in notice', () => requestSignInNotice(ctx, user))
    return answer
  })

  bind(contract.rotateUserCode, async ({ caller }) => {
    const { userCode } = await rotateUserCode(ctx, caller)
    return { userCode: formatUserCode(userCode) }
  })

  bind(contract.logout, async ({ caller }) => {
    await revokeSession(ctx, caller)
    return new Reply(
      200,
      { ok: true as const },
      {
        'set-cookie': [setCookie(sid, '', 0), removeDeviceMarker(ctx.config)],
      },
    )
  })
}

/** A separate cookie proves that the browser has received the code of a phone. */
export function bindPhoneRoutes(bind: RouteBinder, ctx: Context): void {
  const phone = phoneProofCookie(ctx.config.COOKIE_SECURE)

  bind(contract.requestPhoneCode, async ({ body, meta }) => {
    const { clientAddress: address } = meta
    const asked = { phone: body.phone, previousProof: meta.cookies[phone], address }
    const sent = await requestPhoneCode(ctx, asked)
    const answer = {
      resendAfterSeconds: limits.phoneResendAfterSeconds,
      expiresInSeconds: limits.phoneCodeLifetimeSeconds,
      ...(ctx.config.SHOW_PHONE_CODE === 'on' ? { demoCode: sent.code } : {}),
    }
    const lifetime = limits.phoneCodeLifetimeSeconds + limits.phoneProofLifetimeSeconds
    return new Reply(200, answer, { 'set-cookie': cookieSetter(ctx)(phone, sent.proof, lifetime) })
  })

  bind(contract.verifyPhoneCode, async ({ body, meta }) => {
    await verifyPhoneCode(ctx, { code: body.code, proof: meta.cookies[phone] })
    return { ok: true as const }
  })
}

const cookieSetter =
  ({ config }: Context) =>
  (name: string, value: string, maxAgeSeconds: number) =>
    serializeCookie(name, value, { secure: config.COOKIE_SECURE, maxAgeSeconds })
