import type { Gift } from '../domain/gift.ts'
import { codeOf, hashOfCode } from '../domain/upgrade-code.ts'

/**
 * Derives gift codes with keys that are kept outside the database: the present one, and former ones while their gifts can be
 * redeemed.
 */
export function createGiftCodes(
  keys: Readonly<Record<string, Buffer>>,
  presentKeyId: string,
  hashKey: Buffer,
) {
  const derive = (giftId: string, keyId: string) => {
    const key = keys[keyId]
    if (!key) throw new Error(`GIFT_CODE_KEYS has no key ${keyId}`)
    return codeOf(giftId, key)
  }
  const hashOf = (code: string) => hashOfCode(code, hashKey)
  return {
    /** Returns the fields of a new gift that depend on its code. */
    create: (giftId: string) => ({
      codeKeyId: presentKeyId,
      codeHash: hashOf(derive(giftId, presentKeyId)),
    }),
    codeOf: ({ _id, codeKeyId }: Pick<Gift, '_id' | 'codeKeyId'>) => derive(_id, codeKeyId),
    hashOf,
  }
}
