import { createDecipheriv, createECDH, createHmac, hkdfSync, pbkdf2Sync } from 'node:crypto'
import vectors from '../test/vectors.json' with { type: 'json' }
import { fields, fromBase64Url, toBase64Url } from './bytes.ts'
import { conversationKey, safetyCode } from './conversation-key.ts'
import { DamagedFileError, fileKey, openFile } from './file.ts'
import { openMessage } from './message.ts'
import type { MessageHeader } from './message.ts'
import { importKey, openCopy, stretch, unbox } from './own-key.ts'
import type { OwnKey, StoredKey } from './own-key.ts'
import { createKnownKeyRecords } from './known-key-records.ts'

type Person = (typeof vectors.people)[number]
const [ann, ben] = vectors.people as [Person, Person]
const messages = vectors.messages as { envelope: MessageHeader; body: { at: number }; content: string }[]
const storedKey = ({ userId, epoch, pub, box, n }: Person): StoredKey => ({
  userId,
  epoch,
  n,
  pub: fromBase64Url(pub),
  box: fromBase64Url(box),
})

/** The same protocol again, on Node's own `crypto` and from its description alone. */
const node = {
  fields: (...values: (string | number | Buffer)[]) =>
    Buffer.concat(
      values.flatMap((value) => {
        const bytes = Buffer.isBuffer(value) ? value : Buffer.from(String(value))
        const length = Buffer.alloc(4)
        length.writeUInt32BE(bytes.length)
        return [length, bytes]
      }),
    ),
  hkdf: (secret: Buffer, info: Buffer) => Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), info, 32)),
  open(key: Buffer, box: Buffer, data: Buffer) {
    const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, 12))
    decipher.setAAD(data).setAuthTag(box.subarray(-16))
    return Buffer.concat([decipher.update(box.subarray(12, -16)), decipher.final()])
  },
  unbox({ userId, epoch, digits, share, n, pub, box }: Person) {
    const stretched = pbkdf2Sync(digits, this.fields('pin/v1', userId), n, 32, 'sha256')
    const secret = Buffer.concat([stretched, bytes(share)])
    const key = this.hkdf(secret, this.fields('wrap/v1', userId, epoch))
    return this.open(key, bytes(box), this.fields('identity/v1', userId, epoch, bytes(pub), n))
  },
  /** PKCS#8 of P-256 holds the private number in bytes 36 to 67. */
  agree(pkcs8: Buffer, pub: Buffer) {
    const pair = createECDH('prime256v1')
    pair.setPrivateKey(pkcs8.subarray(36, 68))
    return pair.computeSecret(pub)
  },
}
const bytes = (text: string) => Buffer.from(text, 'base64url')

const keyOf = async (person: Person): Promise<OwnKey> =>
  importKey(storedKey(person), fromBase64Url(person.pkcs8))

describe('the fixed vectors', () => {
  it.each(vectors.people)('open the box of $userId with the number and the share', async (person) => {
    const stretched = await stretch(person.digits, person.userId, person.n)
    const pkcs8 = await unbox(storedKey(person), stretched, fromBase64Url(person.share))
    expect(toBase64Url(pkcs8)).toBe(person.pkcs8)
    expect(node.unbox(person).toString('base64url')).toBe(person.pkcs8)
  })

  it.each(vectors.people)('open the copy of $userId for the device', async (person) => {
    const { userId, epoch, pub } = storedKey(person)
    const opened = await openCopy(
      storedKey(person),
      fromBase64Url(person.copy),
      fromBase64Url(person.copyKey),
    )
    const data = node.fields('copy/v1', userId, epoch, Buffer.from(pub))
    expect(toBase64Url(opened)).toBe(person.pkcs8)
    expect(node.open(bytes(person.copyKey), bytes(person.copy), data).toString('base64url')).toBe(
      person.pkcs8,
    )
  })

  it.each(messages)('open message $envelope.clientMessageId on both sides', async (message) => {
    const { envelope, body, content } = message
    const { vanishMs, isOnce } = envelope
    const isSpecial = vanishMs !== undefined || isOnce
    const { conversationId } = vectors
    for (const [own, other] of [
      [ann, ben],
      [ben, ann],
    ] as const) {
      const key = await conversationKey(conversationId, await keyOf(own), storedKey(other))
      expect(await openMessage(key, envelope, content)).toEqual(body)
      const info = [ann, ben].flatMap(({ userId, epoch, pub }) => [userId, epoch, bytes(pub)])
      const secret = node.agree(bytes(own.pkcs8), bytes(other.pub))
      const plain = node.open(
        node.hkdf(secret, node.fields('conversation/v1', conversationId, ...info)),
        bytes(content),
        node.fields(
          isSpecial ? 'message/v2' : 'message/v1',
          conversationId,
          envelope.senderId,
          envelope.clientMessageId,
          envelope.messageType,
          envelope.from,
          envelope.to,
          envelope.mediaUrl ?? '',
          ...(isSpecial ? [vanishMs ?? '', isOnce ? 1 : ''] : []),
        ),
      )
      expect(plain.length % 64).toBe(0)
      expect(JSON.parse(plain.subarray(0, plain.lastIndexOf(0x80)).toString())).toEqual(body)
    }
  })

  it('give the same safety code for both orders of the people', async () => {
    expect(await safetyCode(storedKey(ann), storedKey(ben))).toEqual(vectors.safetyCode)
    expect(await safetyCode(storedKey(ben), storedKey(ann))).toEqual(vectors.safetyCode)
  })

  it('open the known key of the conversation under its name', async () => {
    const { knownKey, conversationId } = vectors
    const records = await createKnownKeyRecords(await keyOf(ann))
    expect(await records.nameOf(conversationId)).toBe(knownKey.name)
    expect(
      toBase64Url(await records.open(knownKey.name, knownKey.version, fromBase64Url(knownKey.box))),
    ).toBe(knownKey.plain)
    const secret = node.agree(bytes(ann.pkcs8), bytes(ann.pub))
    const nameKey = node.hkdf(secret, node.fields('pin-name/v1', ann.userId, ann.epoch))
    expect(createHmac('sha256', nameKey).update(conversationId).digest('base64url')).toBe(knownKey.name)
    const boxKey = node.hkdf(secret, node.fields('pin-store/v1', ann.userId, ann.epoch))
    const data = node.fields('pin/v1', ann.userId, knownKey.name, knownKey.version)
    expect(node.open(boxKey, bytes(knownKey.box), data).toString('base64url')).toBe(knownKey.plain)
  })
})

type SealedFile = (typeof vectors.files)[number]
const openVector = async ({ mediaKey, part, sealed }: SealedFile, size: number) =>
  openFile(await fileKey(fromBase64Url(mediaKey), part as 'thumb' | 'file'), fromBase64Url(sealed), size)

it.each(vectors.files)('opens the sealed $part "$plain"', async (file) => {
  expect(Buffer.from(await openVector(file, file.plain.length)).toString()).toBe(file.plain)
  const sealed = bytes(file.sealed)
  const header = sealed.subarray(0, 16)
  expect(header.subarray(0, 4).toString('latin1')).toBe('SL1\x14')
  const nonce = Buffer.concat([header.subarray(4, 11), Buffer.from([0, 0, 0, 0, 1])])
  const key = node.hkdf(bytes(file.mediaKey), node.fields(`${file.part}/v1`))
  expect(node.open(key, Buffer.concat([nonce, sealed.subarray(16)]), header).toString()).toBe(file.plain)
})

it.each<[string, Partial<SealedFile>]>([
  ['the key of another file', { mediaKey: ann.share }],
  ['the key of the other part', { part: 'thumb' }],
])('refuses a file under %s', async (_what, change) => {
  const file = { ...(vectors.files[1] as SealedFile), ...change }
  await expect(openVector(file, file.plain.length)).rejects.toEqual(new DamagedFileError('chunk'))
})

describe('what was sealed does not open', () => {
  const flipped = (text: string, at: number) => {
    const changed = bytes(text)
    changed[at] = (changed[at] as number) ^ 1
    return changed.toString('base64url')
  }
  const [message] = messages as [(typeof messages)[number]]
  const other = '22222222-2222-4222-8222-222222222222'
  const envelopes: [string, Partial<MessageHeader>][] = [
    ['in another conversation', { conversationId: other }],
    ['from another sender', { senderId: ben.userId }],
    ['under another id', { clientMessageId: other }],
    ['as another type', { messageType: 'image' }],
    ['with another media', { mediaUrl: '/api/objects/x' }],
    ['for another key of the sender', { from: 2 }],
    ['for another key of the receiver', { to: 4 }],
    ['as one that vanishes', { vanishMs: 30_000 }],
    ['as one that opens once', { isOnce: true }],
  ]
  it.each(envelopes)('%s', async (_way, change) => {
    const key = await conversationKey(vectors.conversationId, await keyOf(ben), storedKey(ann))
    const opened = openMessage(key, { ...message.envelope, ...change }, message.content)
    await expect(opened).rejects.toThrow()
  })

  it.each([undefined, 30_000])('with the time to vanish changed to %s', async (vanishMs) => {
    const vanishing = messages.find(({ envelope }) => envelope.vanishMs !== undefined)
    if (!vanishing) throw new Error('No vector vanishes.')
    const key = await conversationKey(vectors.conversationId, await keyOf(ben), storedKey(ann))
    const opened = openMessage(key, { ...vanishing.envelope, vanishMs }, vanishing.content)
    await expect(opened).rejects.toThrow()
  })

  it.each([0, 11, 12, 40, bytes(message.content).length - 1])('with a bit changed in byte %d', async (at) => {
    const key = await conversationKey(vectors.conversationId, await keyOf(ben), storedKey(ann))
    await expect(openMessage(key, message.envelope, flipped(message.content, at))).rejects.toThrow()
  })

  it.each<[string, Partial<StoredKey>]>([
    ['another person', { userId: other }],
    ['another epoch', { epoch: 9 }],
    ['another public key', { pub: fromBase64Url(ann.pub) }],
  ])('with %s for the partner', async (_what, change) => {
    const partner = { ...storedKey(ann), ...change }
    if (change.pub) partner.pub = fromBase64Url(ben.pub)
    const key = await conversationKey(vectors.conversationId, await keyOf(ben), partner)
    await expect(openMessage(key, message.envelope, message.content)).rejects.toThrow()
  })

  it('in the key of another conversation', async () => {
    const key = await conversationKey(other, await keyOf(ben), storedKey(ann))
    await expect(openMessage(key, message.envelope, message.content)).rejects.toThrow()
  })

  it.each<[string, Partial<Person>]>([
    ['another number', { digits: '1816' }],
    ['another share', { share: ben.share }],
    ['another person', { userId: ben.userId }],
    ['another epoch', { epoch: 2 }],
    ['another public key', { pub: ben.pub }],
    ['a bit changed', { box: flipped(ann.box, 30) }],
  ])('as a key, with %s', async (_what, change) => {
    const person = { ...ann, ...change }
    const stretched = await stretch(person.digits, person.userId)
    await expect(unbox(storedKey(person), stretched, fromBase64Url(person.share))).rejects.toThrow()
  })

  it('in the known key of an earlier version or another conversation', async () => {
    const { knownKey } = vectors
    const records = await createKnownKeyRecords(await keyOf(ann))
    await expect(
      records.open(knownKey.name, knownKey.version - 1, fromBase64Url(knownKey.box)),
    ).rejects.toThrow()
    await expect(
      records.open(await records.nameOf(other), knownKey.version, fromBase64Url(knownKey.box)),
    ).rejects.toThrow()
  })
})

it('refuses fewer or more iterations than agreed, and a public key that is no point', async () => {
  for (const n of [599_999, 2_000_001])
    await expect(stretch('1234', ann.userId, n)).rejects.toThrow(RangeError)
  const noPoint = { ...storedKey(ben), pub: fields('x'.repeat(61)) }
  await expect(conversationKey('c', await keyOf(ann), noPoint)).rejects.toThrow()
})
