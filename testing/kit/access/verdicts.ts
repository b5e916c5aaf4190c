import type { Access, RouteContract } from '@sumlock/contracts/route'
import type { HandshakeRefusal } from '@sumlock/contracts/socket'

export const sessionNames = [
  'anonymous',
  'withoutPin',
  'deleted',
  'locked',
  'discreet',
  'unlocked',
  'other',
  'blocked',
  'admin',
  'staleAdmin',
  'lockedAdmin',
  'revoked',
  'suspended',
] as const
export type SessionName = (typeof sessionNames)[number]

/**
 * A call is made without a CSRF token, with the token and cookie of another session, or with its session's own token.
 */
export const tokenNames = ['none', 'foreign', 'own'] as const
export type TokenName = (typeof tokenNames)[number]

/** `in` means that the call reaches the route's own logic. */
type Verdict = 'in' | typeof noSession | typeof locked | typeof forbidden | typeof stepUp | '403 csrf_failed'

const noSession = '401 no_session'
const locked = '423 locked'
const forbidden = '403 not_allowed'
const stepUp = '403 step_up_required'

const all = <T>(verdict: T) =>
  Object.fromEntries(sessionNames.map((name) => [name, verdict])) as Record<SessionName, T>

const signedOut = { anonymous: noSession, revoked: noSession, suspended: noSession } as const

/**
 * These are the access rules of the gateway and, for the role of an administrator, of the services; `step-up` routes
 * refuse more in their own logic. `withoutPin` is signed in and has no PIN. `deleted` has signed in again to an account
 * that waits to be deleted. `suspended` was unlocked when an administrator suspended its account. `blocked` is
 * unlocked, and the owner blocked the conversation that its calls name. `discreet` is locked, in discreet mode, and
 * signed in more than 15 minutes ago. `unlocked` is a member of the conversation in the call; `other` is unlocked and
 * not a member. `admin` is unlocked and has just signed in. `staleAdmin` is unlocked and `lockedAdmin` is locked, and
 * both signed in more than 15 minutes ago.
 */
const verdicts: Readonly<Record<Access, Readonly<Record<SessionName, Verdict>>>> = {
  public: all('in'),
  webhook: all('in'),
  session: { ...all('in'), ...signedOut },
  unlocked: {
    ...all(locked),
    ...{ unlocked: 'in', other: 'in', blocked: 'in', admin: 'in', staleAdmin: 'in' },
    ...signedOut,
  },
  'step-up': { ...all('in'), ...signedOut },
  admin: { ...all(forbidden), admin: 'in', staleAdmin: stepUp, lockedAdmin: locked, ...signedOut },
}

type HandshakeVerdicts = Readonly<Record<SessionName, HandshakeRefusal | null>>

const plainHandshake: HandshakeVerdicts = {
  ...all('locked'),
  unlocked: null,
  other: null,
  blocked: null,
  admin: null,
  staleAdmin: null,
  anonymous: 'no_session',
  revoked: 'no_session',
  suspended: 'no_session',
}

/**
 * A handshake is refused for this reason; null means that it connects. The `conversation` handshakes name the
 * conversation of `unlocked`.
 */
export const handshakeVerdicts = {
  plain: plainHandshake,
  conversation: {
    ...plainHandshake,
    other: 'not_allowed',
    blocked: 'not_allowed',
    admin: 'not_allowed',
    staleAdmin: 'not_allowed',
  } satisfies HandshakeVerdicts,
}

/**
 * The gateway checks first the session, the unlock and the step-up, and then the token. The service checks the role.
 */
function verdictOf(route: RouteContract, session: SessionName, token: TokenName): Verdict {
  const verdict = verdicts[route.access][session]
  const isDecidedBySession = verdict === noSession || verdict === locked || verdict === stepUp
  const needsToken = route.method !== 'GET' && route.access !== 'webhook' && !route.isSignedAddress
  if (!isDecidedBySession && needsToken && token !== 'own') return '403 csrf_failed'
  return verdict
}

type Inside = Partial<Record<SessionName, string>>
const wrong = '403 wrong_credentials'
const stepUpWithWrongPassword: Inside = {
  ...all('423 locked'),
  withoutPin: wrong,
  unlocked: wrong,
  other: wrong,
  blocked: wrong,
  admin: wrong,
  staleAdmin: wrong,
}
const unknown = '404 conversation_not_found'
const notAMember: Inside = { other: unknown, admin: unknown, staleAdmin: unknown }

/** A session that reaches the route's own logic gets this answer; sessions without an entry succeed. */
const inside: Readonly<Record<string, Inside>> = {
  setupNumericPassword: { ...all('409 pin_already_set'), withoutPin: '2xx' },
  verifyEmail: all('403 link_invalid'),
  resetPassword: all('403 link_invalid'),
  endOtherSessions: all(wrong),
  resetApp: all(wrong),
  deleteAccount: all(wrong),
  changePassword: stepUpWithWrongPassword,
  changeFullName: stepUpWithWrongPassword,
  confirmPassword: stepUpWithWrongPassword,
  exportAccount: stepUpWithWrongPassword,
  changeEmail: stepUpWithWrongPassword,
  changePhone: stepUpWithWrongPassword,
  listAccesses: { discreet: stepUp, lockedAdmin: stepUp },
  listGrantsByAdmins: { discreet: stepUp, lockedAdmin: stepUp },
  // The example calls name a secret that the stack does not have.
  putIdentity: all('400 invalid_request'),
  renewIdentity: all('400 invalid_request'),
  redeemCode: all('404 upgrade_code_unknown'),
  getPayment: all('404 payment_not_found'),
  // The stacks of the tests are connected neither to an app store nor to Stripe.
  validateIos: all('503 store_unavailable'),
  validateAndroid: all('503 store_unavailable'),
  stripeWebhook: all('400 signature_invalid'),
  appStoreWebhook: all('400 signature_invalid'),
  googlePlayWebhook: all('400 signature_invalid'),
  getTimeline: { discreet: stepUp, lockedAdmin: stepUp },
  getMobileSubscription: { discreet: stepUp, lockedAdmin: stepUp },
  listPromoRedemptions: { discreet: stepUp, lockedAdmin: stepUp },
  listSessions: { discreet: stepUp, lockedAdmin: stepUp },
  endSession: all(wrong),
  setDiscreetMode: { discreet: stepUp, lockedAdmin: stepUp },
  verifyNumericPassword: { withoutPin: '403 wrong_pin', deleted: '403 deletion_scheduled' },
  // The example calls name a file that was never uploaded, and the example upload has no bytes.
  putObject: all('400 invalid_request'),
  getObject: all('404 media_not_found'),
  putPart: all('400 invalid_request'),
  listParts: all('404 media_not_found'),
  signPart: all('404 media_not_found'),
  completeMultipart: all('404 media_not_found'),
  abortMultipart: all('404 media_not_found'),
  registerMedia: all('404 media_not_found'),
  // The example names a message of the bystander.
  changeMessage: { ...all('404 message_not_found'), ...notAMember },
  getConversation: notAMember,
  listKeys: notAMember,
  listMessages: notAMember,
  markRead: notAMember,
  deleteConversation: notAMember,
  setConversationState: notAMember,
  openOnce: all('404 message_not_found'),
  closeOnce: all('404 message_not_found'),
  // The example replaces no timer, and each session's call sets one.
  setTimer: notAMember,
  reportConversation: notAMember,
  closeReport: all('404 not_found'),
  sendMessage: notAMember,
}

/** Returns `2xx`, or the status and code of the expected refusal. */
export function expectedAnswer(
  [name, route]: readonly [string, RouteContract],
  session: SessionName,
  token: TokenName,
): string {
  const verdict = verdictOf(route, session, token)
  return verdict === 'in' ? (inside[name]?.[session] ?? '2xx') : verdict
}
