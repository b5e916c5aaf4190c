import { createDecipheriv } from 'node:crypto'
import { notice } from '@sumlock/contracts/auth-events'
import type { Notice } from '@sumlock/contracts/auth-events'
import { maySend } from '../domain/notice-sender.ts'

export interface Sealed {
  keyId: string
  iv: string
  ciphertext: string
  tag: string
}

/** Decrypts a notice; throws when the key is unknown or that of another sender, or when a byte or the notice id was changed. */
export function openNotice(sealed: Sealed, noticeId: string, keys: Readonly<Record<string, Buffer>>): Notice {
  const key = keys[sealed.keyId]
  if (!key) throw new Error(`no key ${sealed.keyId} in NOTICE_KEYS`)
  const bytes = (text: string) => Buffer.from(text, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes(sealed.iv))
    .setAAD(Buffer.from(noticeId))
    .setAuthTag(bytes(sealed.tag))
  const plain = Buffer.concat([decipher.update(bytes(sealed.ciphertext)), decipher.final()])
  const opened = notice.parse(JSON.parse(plain.toString('utf8')))
  if (!maySend(sealed.keyId, opened))
    throw new Error(`the owner of key ${sealed.keyId} may not request ${opened.template}`)
  return opened
}
