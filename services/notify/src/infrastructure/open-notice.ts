import { notice } from '@sumlock/contracts/auth-events'
import type { Notice } from '@sumlock/contracts/auth-events'
import { openText } from '@sumlock/service-kit/seal-text'
import type { SealedText } from '@sumlock/service-kit/seal-text'
import type { Channel } from '../domain/delivery.ts'
import { maySend } from '../domain/notice-sender.ts'

/**
 * Decrypts a notice. Throws when the key is unknown, when its owner may not request this notice, or when a byte or the
 * notice id was changed.
 */
export function openNotice(
  sealed: SealedText,
  noticeId: string,
  keys: Readonly<Record<string, Buffer>>,
): Notice {
  const key = keys[sealed.keyId]
  if (!key) throw new Error(`NOTICE_KEYS has no key ${sealed.keyId}`)
  const opened = notice.parse(JSON.parse(openText(sealed, noticeId, key)))
  if (!maySend(sealed.keyId, opened))
    throw new Error(`the owner of key ${sealed.keyId} may not request ${opened.template}`)
  return opened
}

/**
 * Returns the channel of a notice. A notice that cannot be decrypted counts as a mail; its delivery fails when it is due.
 */
export function channelOf(...of: Parameters<typeof openNotice>): Channel {
  try {
    return openNotice(...of).channel
  } catch {
    return 'mail'
  }
}
