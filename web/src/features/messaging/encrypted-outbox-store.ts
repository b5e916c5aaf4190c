import type { OutboxItem, OutboxStore } from '@sumlock/sync/ports'
import { tabStorage } from '../../shared/lib/safe-storage.ts'

const storageKey = 'calc.m'
const ivLength = 12

const toBase64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

/**
 * Keeps what is unsent encrypted (AES-256-GCM) in this tab: tabs that shared one store would overwrite each other. The key comes with the unlock answer and lives in memory
 * only: without unlocking again nobody can read it. What another key wrote is left out.
 */
export function createEncryptedOutboxStore(keyBase64: string): OutboxStore {
  // On plain http (a phone in the local network) browsers have no `subtle`.
  const subtle = crypto.subtle as SubtleCrypto | undefined
  if (!subtle) return createMemoryStore()
  const key = subtle.importKey('raw', fromBase64(keyBase64), 'AES-GCM', false, ['encrypt', 'decrypt'])
  return {
    async load() {
      const text = tabStorage.get(storageKey)
      if (!text) return []
      const bytes = fromBase64(text)
      const iv = bytes.subarray(0, ivLength)
      try {
        const plain = await subtle.decrypt({ name: 'AES-GCM', iv }, await key, bytes.subarray(ivLength))
        return JSON.parse(new TextDecoder().decode(plain)) as OutboxItem[]
      } catch {
        return []
      }
    },
    async save(items) {
      if (items.length === 0) {
        tabStorage.remove(storageKey)
        return
      }
      const iv = crypto.getRandomValues(new Uint8Array(ivLength))
      const plain = new TextEncoder().encode(JSON.stringify(items))
      const sealed = new Uint8Array(await subtle.encrypt({ name: 'AES-GCM', iv }, await key, plain))
      tabStorage.set(storageKey, toBase64(new Uint8Array([...iv, ...sealed])))
    },
  }
}

function createMemoryStore(): OutboxStore {
  let kept: OutboxItem[] = []
  return {
    load: () => Promise.resolve(kept),
    save: (items) => {
      kept = [...items]
      return Promise.resolve()
    },
  }
}
