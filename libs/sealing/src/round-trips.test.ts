import { randomBytes, randomUUID } from 'node:crypto'
import { conversationKey } from './conversation-key.ts'
import { openMessage, sealMessage } from './message.ts'
import type { MessageHeader } from './message.ts'
import { boxUp, createKey, importKey, openCopy, sealCopy, stretch, unbox } from './own-key.ts'
import { createKnownKeyRecords } from './known-key-records.ts'

const random32 = () => new Uint8Array(randomBytes(32))

async function newPerson(digits = '1815') {
  const owner = { userId: randomUUID(), epoch: 1 }
  const share = random32()
  const stretched = await stretch(digits, owner.userId)
  const { stored, pkcs8 } = await createKey(owner, stretched, share)
  return { stored, pkcs8, share, stretched, own: await importKey(stored, pkcs8) }
}

it('a new key opens with its number and share, and cannot be read once imported', async () => {
  const { stored, pkcs8, share, stretched, own } = await newPerson()
  expect(stored.pub).toHaveLength(65)
  expect(await unbox(stored, stretched, share)).toEqual(pkcs8)
  await expect(crypto.subtle.exportKey('pkcs8', own.privateKey)).rejects.toThrow()
})

it('after a change of the number the new box opens with the new number only, to the same key', async () => {
  const { stored, pkcs8, share, stretched } = await newPerson()
  const next = await stretch('271828', stored.userId)
  const moved = await boxUp(stored, pkcs8, next, share)
  expect(await unbox(moved, next, share)).toEqual(pkcs8)
  await expect(unbox(moved, stretched, share)).rejects.toThrow()
  expect(moved.pub).toEqual(stored.pub)
})

it('the copy on the device opens with the key of its unlock only', async () => {
  const { stored, pkcs8 } = await newPerson()
  const copyKey = random32()
  const copy = await sealCopy(stored, pkcs8, copyKey)
  expect(await openCopy(stored, copy, copyKey)).toEqual(pkcs8)
  await expect(openCopy(stored, copy, random32())).rejects.toThrow()
})

it('a third person opens neither message nor known key', async () => {
  const [ann, ben, eve] = [await newPerson(), await newPerson(), await newPerson()]
  const conversationId = randomUUID()
  const header: MessageHeader = {
    conversationId,
    senderId: ann.stored.userId,
    clientMessageId: randomUUID(),
    messageType: 'text',
    from: 1,
    to: 1,
  }
  const key = await conversationKey(conversationId, ann.own, ben.stored)
  const content = await sealMessage(key, header, { t: 'for Ben', at: 1 })
  for (const partner of [ann.stored, ben.stored]) {
    const wrong = await conversationKey(conversationId, eve.own, partner)
    await expect(openMessage(wrong, header, content)).rejects.toThrow()
  }
  const records = await createKnownKeyRecords(ann.own)
  const name = await records.nameOf(conversationId)
  const box = await records.seal(name, 1, random32())
  const others = await createKnownKeyRecords(eve.own)
  expect(await others.nameOf(conversationId)).not.toBe(name)
  await expect(others.open(name, 1, box)).rejects.toThrow()
})

it.each([
  [1, 64],
  [40, 64],
  [63 - 13, 256],
  [200, 256],
  [900, 1024],
  [1100, 2048],
  [4000, 4096],
])('a body with %d letters is padded to %d bytes', async (letters, size) => {
  const { own, stored } = await newPerson()
  const key = await conversationKey('c', own, stored)
  const header = {
    conversationId: 'c',
    senderId: 's',
    clientMessageId: 'm',
    messageType: 'text',
    from: 1,
    to: 1,
  }
  const body = { t: 'x'.repeat(letters), at: 1 }
  const content = await sealMessage(key, header, body)
  expect(Buffer.from(content, 'base64url')).toHaveLength(12 + size + 16)
  expect(await openMessage(key, header, content)).toEqual(body)
})
