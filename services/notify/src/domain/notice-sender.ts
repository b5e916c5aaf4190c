import type { Notice } from '@sumlock/contracts/auth-events'

type Sender = 'auth' | 'billing'

/**
 * Names the one service that may request each notice. Every service seals with its own key, so a stolen key cannot request
 * the notices of another service.
 */
const senderOf: Readonly<Record<Notice['template'], Sender>> = {
  'phone-code': 'auth',
  'verify-email': 'auth',
  'change-email': 'auth',
  'reset-password': 'auth',
  'password-changed': 'auth',
  'email-changed': 'auth',
  'email-claimed': 'auth',
  'wrong-passwords': 'auth',
  'phone-changed': 'auth',
  'app-reset': 'auth',
  'app-reset-waits': 'auth',
  'account-deletion': 'auth',
  'signed-in': 'auth',
  gift: 'billing',
}

/**
 * Returns whether the owner of the key may request the notice. Key ids of earlier versions contain no hyphen and belong to
 * auth.
 */
export function maySend(keyId: string, { template }: Notice): boolean {
  const [name, ...rest] = keyId.split('-')
  return senderOf[template] === (rest.length > 0 ? name : 'auth')
}
