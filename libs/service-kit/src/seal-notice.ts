import { createCipheriv, randomBytes } from 'node:crypto'
import type { Notice } from '@sumlock/contracts/auth-events'

export interface SealedNotice {
  keyId: string
  iv: string
  ciphertext: string
  tag: string
}

/** The key of one sender. Its id begins with the sender's name: `billing-3f2a91c0`. */
export interface NoticeKey {
  id: string
  secret: Buffer
}

/** AES-256-GCM with the notice id as additional data: a seal cannot be moved to another notice. */
export function sealNotice(notice: Notice, noticeId: string, key: NoticeKey): SealedNotice {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key.secret, iv).setAAD(Buffer.from(noticeId))
  const ciphertext = Buffer.concat([cipher.update(JSON.stringify(notice), 'utf8'), cipher.final()])
  const base64 = (bytes: Buffer) => bytes.toString('base64')
  return { keyId: key.id, iv: base64(iv), ciphertext: base64(ciphertext), tag: base64(cipher.getAuthTag()) }
}
