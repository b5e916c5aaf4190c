import type { Gift } from '../domain/gift.ts'
import { codeOf, hashOfCode } from '../domain/upgrade-code.ts'

/** Codes of gifts under keys outside the database: by id, the present one and the keys of gifts that are not redeemed yet. */
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
    /** The fields of a new gift. */
    create: (giftId: string) => ({
      codeKeyId: presentKeyId,
      codeHash: hashOf(derive(giftId, presentKeyId)),
    }),
    codeOf: ({ _id, codeKeyId }: Pick<Gift, '_id' | 'codeKeyId'>) => derive(_id, codeKeyId),
    hashOf,
  }
}
