import type { Access, RouteContract } from '@sumlock/contracts/route'
import type { HandshakeRefusal } from '@sumlock/contracts/socket'

export const sessionNames = [
  'anonymous',
  'withoutPin',
  'locked',
  'discreet',
  'unlocked',
  'other',
  'admin',
  'lockedAdmin',
  'revoked',
] as const
export type SessionName = (typeof sessionNames)[number]

/** The token of a change: none, that of another session together with its cookie, or the session's own. */
export const tokenNames = ['none', 'foreign', 'own'] as const
export type TokenName = (typeof tokenNames)[number]

/** `in`: let through to what the route does. */
type Verdict = 'in' | typeof nobody | typeof locked | typeof forbidden | typeof stepUp | '403 csrf_failed'

const nobody = '401 no_session'
const locked = '423 locked'
const forbidden = '403 not_allowed'
const stepUp = '403 step_up_required'

/**
 * Who may call what. `withoutPin` is signed in and has set no PIN; `discreet` is locked, in discreet mode, and signed in
 * more than 15 minutes ago; `unlocked` is a member of the conversation a call names, `other` is unlocked, too, and no
 * member; `admin` is locked and signed in a moment ago, `lockedAdmin` more than 15 minutes ago.
 */
const verdicts: Readonly<Record<Access, Readonly<Record<SessionName, Verdict>>>> = {
  public: {
    anonymous: 'in',
    withoutPin: 'in',
    locked: 'in',
    discreet: 'in',
    unlocked: 'in',
    other: 'in',
    admin: 'in',
    lockedAdmin: 'in',
    revoked: 'in',
  },
  session: {
    anonymous: nobody,
    withoutPin: 'in',
    locked: 'in',
    discreet: 'in',
    unlocked: 'in',
    other: 'in',
    admin: 'in',
    lockedAdmin: 'in',
    revoked: nobody,
  },
  unlocked: {
    anonymous: nobody,
    withoutPin: locked,
    locked,
    discreet: locked,
    unlocked: 'in',
    other: 'in',
    admin: locked,
    lockedAdmin: locked,
    revoked: nobody,
  },
  admin: {
    anonymous: nobody,
    withoutPin: forbidden,
    locked: forbidden,
    discreet: forbidden,
    unlocked: forbidden,
    other: forbidden,
    admin: 'in',
    lockedAdmin: stepUp,
    revoked: nobody,
  },
}

/** What a handshake is told; null is a connection. With `conversation`, that of `unlocked` is named. */
export const handshakeVerdicts: Readonly<
  Record<'plain' | 'conversation', Readonly<Record<SessionName, HandshakeRefusal | null>>>
> = {
  plain: {
    anonymous: 'no_session',
    withoutPin: 'locked',
    locked: 'locked',
    discreet: 'locked',
    unlocked: null,
    other: null,
    admin: 'locked',
    lockedAdmin: 'locked',
    revoked: 'no_session',
  },
  conversation: {
    anonymous: 'no_session',
    withoutPin: 'locked',
    locked: 'locked',
    discreet: 'locked',
    unlocked: null,
    other: 'not_allowed',
    admin: 'locked',
    lockedAdmin: 'locked',
    revoked: 'no_session',
  },
}

/** The gateway asks for session, unlock and step-up, then for the token; the service asks for the role. */
function verdictOf(route: RouteContract, session: SessionName, token: TokenName): Verdict {
  const verdict = verdicts[route.access][session]
  const isDecidedByWho = verdict === nobody || verdict === locked || verdict === stepUp
  if (!isDecidedByWho && route.method !== 'GET' && token !== 'own') return '403 csrf_failed'
  return verdict
}

type Inside = Partial<Record<SessionName, string>>
const notAMember: Inside = { other: '404 conversation_not_found' }
const wrongPassword = '403 wrong_credentials'
const hasPin = '409 pin_already_set'

/** What a route says to somebody it let in, where that is no success. */
const inside: Readonly<Record<string, Inside>> = {
  setupNumericPassword: {
    locked: hasPin,
    discreet: hasPin,
    unlocked: hasPin,
    other: hasPin,
    admin: hasPin,
    lockedAdmin: hasPin,
  },
  endOtherSessions: {
    withoutPin: wrongPassword,
    locked: wrongPassword,
    discreet: wrongPassword,
    unlocked: wrongPassword,
    other: wrongPassword,
    admin: wrongPassword,
    lockedAdmin: wrongPassword,
  },
  setDiscreetMode: { discreet: stepUp, lockedAdmin: stepUp },
  verifyNumericPassword: { withoutPin: '403 wrong_pin' },
  listMessages: notAMember,
  markRead: notAMember,
  sendMessage: notAMember,
}

/** `2xx`, or the status and code of a refusal. */
export function expectedAnswer(
  [name, route]: readonly [string, RouteContract],
  session: SessionName,
  token: TokenName,
): string {
  const verdict = verdictOf(route, session, token)
  return verdict === 'in' ? (inside[name]?.[session] ?? '2xx') : verdict
}
