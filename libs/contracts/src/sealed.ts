import { z } from 'zod'

/** One person can have at most this many keys, including former ones. */
export const epochsMax = 1000

export const base64Url = (length: string) =>
  z.string().regex(new RegExp(String.raw`^[\w-]{${length}}$`), 'Must be base64url without padding.')

export const epoch = z.number().int().min(1).max(epochsMax).describe('Which of the person’s keys, from 1.')

export const nextEpoch = z
  .number()
  .int()
  .min(1)
  .max(epochsMax + 1)
  .describe(`The epoch of the next key; there is none after ${epochsMax}.`)

export const publicPoint = base64Url('87').describe('The public point of P-256, uncompressed: 65 bytes.')

export const publicKey = z
  .object({ epoch, pub: publicPoint })
  .meta({ id: 'PublicKey', description: 'The public half of a person’s key.' })

/** Marks a message whose `content` only its two members can open. */
export const sealed = z
  .strictObject({
    v: z.literal(1),
    from: epoch.describe('Epoch of the sender’s key.'),
    to: epoch.describe('Epoch of the receiver’s key.'),
  })
  .meta({ id: 'Sealed', description: 'With which keys the content was sealed.' })

/** Every nickname has the same size, so that a box does not reveal how long it is. */
export const sealedNickname = base64Url('208').describe('Sealed by the caller’s client: 156 bytes.')

export type PublicKey = z.infer<typeof publicKey>
export type Sealed = z.infer<typeof sealed>
