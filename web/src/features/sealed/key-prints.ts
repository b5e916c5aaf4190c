import { fromBase64Url, toBase64Url } from '@sumlock/sealing/bytes'

/** Returns the print of a public key: its SHA-256 in base64url. */
export const printOf = async (pub: string): Promise<string> =>
  toBase64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', fromBase64Url(pub))))

/** Keeps computed prints, so that they can be read synchronously. */
export function createKeyPrints() {
  const prints = new Map<string, string>()
  return {
    get: (pub: string): string | undefined => prints.get(pub),
    learn: async (pub: string): Promise<void> => {
      if (!prints.has(pub)) prints.set(pub, await printOf(pub))
    },
  }
}
