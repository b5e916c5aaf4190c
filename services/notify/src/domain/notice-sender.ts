import type { Notice } from '@sumlock/contracts/auth-events'

type Sender = 'auth' | 'billing'

/** The notices that each sender may request. Each sender has a key of its own, so a stolen key seals nothing in another's name. */
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

/** Whether the owner of a key may request the notice. Ids of earlier versions name no sender and are auth's. */
export function maySend(keyId: string, { template }: Notice): boolean {
  const [name, ...rest] = keyId.split('-')
  return senderOf[template] === (rest.length > 0 ? name : 'auth')
}
