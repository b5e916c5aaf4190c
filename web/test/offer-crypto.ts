import { webcrypto } from 'node:crypto'

/** jsdom has no `crypto.subtle`, like a page on plain http. */
export const offerCrypto = (subtle: unknown = webcrypto.subtle): void =>
  void Object.defineProperty(crypto, 'subtle', { configurable: true, value: subtle })
