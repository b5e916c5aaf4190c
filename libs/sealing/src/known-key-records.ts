import { deriveKey, open, seal } from './aes.ts'
import { fields, toBase64Url } from './bytes.ts'
import type { Bytes } from './bytes.ts'
import { agree } from './own-key.ts'
import type { OwnKey } from './own-key.ts'

/** Encrypts the records of known partner keys. The server stores them, but cannot read them or change one unnoticed. */
export interface KnownKeyRecords {
  /** Returns the name under which a conversation's record is stored. It does not reveal the conversation. */
  nameOf(conversationId: string): Promise<string>
  seal(name: string, version: number, plain: Bytes): Promise<Bytes>
  open(name: string, version: number, box: Bytes): Promise<Bytes>
}

/** The labels below are part of stored records, so they must never change. */
export async function createKnownKeyRecords({
  userId,
  epoch,
  pub,
  privateKey,
}: OwnKey): Promise<KnownKeyRecords> {
  const secret = await agree(privateKey, pub)
  const boxes = await deriveKey(secret, fields('pin-store/v1', userId, epoch))
  const source = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
  const info = fields('pin-name/v1', userId, epoch)
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }
  const hmac = { name: 'HMAC', hash: 'SHA-256', length: 256 }
  const names = await crypto.subtle.deriveKey(derivation, source, hmac, false, ['sign'])
  const dataOf = (name: string, version: number) => fields('pin/v1', userId, name, version)
  return {
    nameOf: async (conversationId) =>
      toBase64Url(
        new Uint8Array(await crypto.subtle.sign('HMAC', names, new TextEncoder().encode(conversationId))),
      ),
    seal: (name, version, plain) => seal(boxes, plain, dataOf(name, version)),
    open: (name, version, box) => open(boxes, box, dataOf(name, version)),
  }
}
