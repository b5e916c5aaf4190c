import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** The text is encrypted with AES-256-GCM. All fields but the key's id are base64. */
export interface SealedText {
  keyId: string
  iv: string
  ciphertext: string
  tag: string
}

/** The secret has 32 bytes. */
export interface SealKey {
  id: string
  secret: Buffer
}

const algorithm = 'aes-256-gcm'

/** Encrypts a text and binds it to its owner's id, so that it does not open for another one. */
export function sealText(text: string, ownerId: string, key: SealKey): SealedText {
  const iv = randomBytes(12)
  const cipher = createCipheriv(algorithm, key.secret, iv).setAAD(Buffer.from(ownerId))
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  const base64 = (bytes: Buffer) => bytes.toString('base64')
  return { keyId: key.id, iv: base64(iv), ciphertext: base64(ciphertext), tag: base64(cipher.getAuthTag()) }
}

/** Decrypts a text. Throws when the secret or the owner is another one, or a byte was changed. */
export function openText({ iv, ciphertext, tag }: SealedText, ownerId: string, secret: Buffer): string {
  const bytes = (text: string) => Buffer.from(text, 'base64')
  const decipher = createDecipheriv(algorithm, secret, bytes(iv), { authTagLength: 16 })
    .setAAD(Buffer.from(ownerId))
    .setAuthTag(bytes(tag))
  return Buffer.concat([decipher.update(bytes(ciphertext)), decipher.final()]).toString('utf8')
}
