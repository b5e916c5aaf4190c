import type { OutboxItem, OutboxStore } from '@sumlock/sync/ports'

const storageKey = 'calc.m'
const ivLength = 12

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

/**
 * Keeps what is unsent encrypted (AES-256-GCM) in this tab: tabs that shared one store would overwrite each other. The key comes with the unlock answer and lives in memory
 * only: without unlocking again nobody can read it. What another key wrote is left out.
 */
export function createEncryptedOutboxStore(keyBase64: string): OutboxStore {
  const key = crypto.subtle.importKey('raw', fromBase64(keyBase64), 'AES-GCM', false, ['encrypt', 'decrypt'])
  return {
    async load() {
      const text = sessionStorage.getItem(storageKey)
      if (!text) return []
      const bytes = fromBase64(text)
      const iv = bytes.subarray(0, ivLength)
      try {
        const plain = await crypto.subtle.decrypt(
          { name: 'AES-GCM', iv },
          await key,
          bytes.subarray(ivLength),
        )
        return JSON.parse(new TextDecoder().decode(plain)) as OutboxItem[]
      } catch {
        return []
      }
    },
    async save(items) {
      if (items.length === 0) {
        sessionStorage.removeItem(storageKey)
        return
      }
      const iv = crypto.getRandomValues(new Uint8Array(ivLength))
      const plain = new TextEncoder().encode(JSON.stringify(items))
      const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await key, plain))
      sessionStorage.setItem(storageKey, toBase64(new Uint8Array([...iv, ...sealed])))
    },
  }
}
