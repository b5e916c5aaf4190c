import { z } from 'zod'
import { exampleValues } from './example-values.ts'
import { limits } from './limits.ts'
import { defineRoute } from './route.ts'
import { base64Url, epoch, nextEpoch, publicPoint } from './sealed.ts'

/** Clients accept these numbers of PBKDF2 iterations (libs/sealing/src/own-key.ts). */
const iterationsMin = 600_000
const iterationsMax = 2_000_000

const secretId = z.string().min(1).max(32).describe('Id of the secret that the share comes from.')
const box = base64Url('64,512').describe('The private key, encrypted for the numeric password and the share.')

/** The server stores a key pair of the caller, but cannot open its box without the numeric password. */
export const identity = z
  .object({
    epoch,
    pub: publicPoint,
    box,
    n: z.number().int().min(iterationsMin).max(iterationsMax).describe('Iterations of PBKDF2.'),
    sk: secretId,
  })
  .meta({ id: 'Identity', description: 'A key pair of the caller, the private half in its box.' })

const pinVersion = z.number().int().min(0).describe('Increases with every change of the numeric password.')

export const keyState = z.object({
  identities: z.array(identity).describe('Those that have a box, ascending by epoch.'),
  nextEpoch,
  pinVersion,
  copyKey: z
    .string()
    .nullable()
    .describe('32 bytes in base64url, random per unlock: encrypts the copy of the key on this device.'),
})

/** With these fields of the unlock answer the client opens its own keys. */
export const unlockedKeys = keyState.extend({
  keyShares: z
    .array(z.object({ sk: secretId, share: z.string() }))
    .describe(
      'The server’s half of the key to the boxes, 32 bytes in base64url; the first is for new boxes.',
    ),
})

/** The client makes a key pair for the next epoch, which the server has given it. */
const madeKey = { ...identity.shape, epoch: nextEpoch }

/** At a change of the numeric password, the client sends a new box for each key. */
export const newBox = z.strictObject({ epoch, box, sk: secretId })

const exampleKey = {
  epoch: 1,
  pub: exampleValues.publicPoint,
  box: exampleValues.box,
  n: iterationsMin,
  sk: exampleValues.shareSecretId,
}

export const getIdentities = defineRoute({
  method: 'GET',
  path: '/api/identity',
  service: 'auth',
  access: 'unlocked',
  summary: 'The caller’s keys in their boxes, without the shares that open them.',
  responses: { 200: keyState },
  errors: [],
})

export const putIdentity = defineRoute({
  method: 'PUT',
  path: '/api/identity',
  service: 'auth',
  access: 'unlocked',
  summary:
    'Stores the caller’s first key, the one after a reset of the app, or a new box of the present one. Within 60 s of the unlock.',
  body: z.strictObject({ ...madeKey, pinVersion }),
  example: { body: { ...exampleKey, pinVersion: 1 } },
  responses: { 200: z.object({ ok: z.literal(true) }) },
  errors: ['key_conflict', 'too_many_keys', 'recent_unlock_required'],
  rate: { perSession: { points: 20, seconds: 60 } },
})

export const renewIdentity = defineRoute({
  method: 'POST',
  path: '/api/identity/renew',
  service: 'auth',
  access: 'unlocked',
  summary:
    'Adds the caller’s next key, removes the boxes of keys that cannot be opened any more, and locks the other sessions of the account. Repeated with the same key, it stores nothing.',
  body: z.strictObject({
    currentNumericPassword: z.string().regex(/^\d*$/).max(64),
    key: z.strictObject(madeKey).describe('Its epoch is the last one plus 1.'),
    pinVersion,
    lostEpochs: z
      .array(epoch)
      .max(limits.boxedKeys)
      .describe('The caller’s keys whose boxes are removed; all others keep theirs.'),
  }),
  example: {
    body: {
      currentNumericPassword: exampleValues.numericPassword,
      key: exampleKey,
      pinVersion: 1,
      lostEpochs: [],
    },
  },
  responses: { 200: z.object({ ok: z.literal(true) }) },
  errors: ['wrong_pin', 'key_conflict', 'too_many_keys'],
  rate: { perSession: { points: 20, seconds: 3600 } },
})

export type Identity = z.infer<typeof identity>
export type UnlockedKeys = z.infer<typeof unlockedKeys>
export type NewBox = z.infer<typeof newBox>
