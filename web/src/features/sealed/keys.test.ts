import type { Identity } from '@sumlock/contracts/identity-routes'
import { fromBase64Url, toBase64Url } from '@sumlock/sealing/bytes'
import { createKey, stretch, unbox } from '@sumlock/sealing/own-key'
import { fakeApi, refusal } from '../../../test/fake-api.ts'
import type { Answer } from '../../../test/fake-api.ts'
import { offerCrypto } from '../../../test/offer-crypto.ts'
import { boxesForChange, makeNewKeys } from './change-boxes.ts'
import { loadCopies } from './key-copies.ts'
import { beginOpening } from './open-keys.ts'
import { copiesKey } from '../device/stored-copies.ts'
import { client } from '../../../test/page.ts'

const userId = '7d1cf4a2-0000-4000-8000-000000000001'
const random = () => toBase64Url(crypto.getRandomValues(new Uint8Array(32)))
const share = { sk: 's1', share: '' }
const copyKey = { value: '' }
let server: ReturnType<typeof fakeApi>
let put: (body: unknown) => Answer
let sent: Record<string, unknown[]>
let identities: Identity[]

beforeEach(() => {
  offerCrypto()
  localStorage.clear()
  share.share = random()
  copyKey.value = random()
  identities = []
  sent = {}
  const note = (name: string, answer: (body: unknown) => Answer) => (body: unknown) => {
    ;(sent[name] ??= []).push(body)
    return answer(body)
  }
  put = () => ({ status: 200, body: { ok: true } })
  server = fakeApi({
    'PUT /api/identity': note('put', (body) => put(body)),
    'GET /api/identity': () => ({ status: 200, body: { identities, copyKey: copyKey.value } }),
    'POST /api/identity/renew': note('renew', () => ({ status: 200, body: { ok: true } })),
    'POST /api/verify-numeric-password': note('verify', (body) =>
      (body as { numericPassword: string }).numericPassword === '1815'
        ? { status: 200, body: unlocked() }
        : refusal(403, 'wrong_pin'),
    ),
  })
})
afterEach(() => server.restore())

const unlocked = () => ({
  userId,
  identities,
  nextEpoch: (identities.at(-1)?.epoch ?? 0) + 1,
  pinVersion: 3,
  keyShares: [share],
  copyKey: copyKey.value,
})
const stretched = new Map<string, ReturnType<typeof stretch>>()
/** Stretches each number once, because that is slow on purpose. */
function stretchOnce(digits: string) {
  const known = stretched.get(digits) ?? stretch(digits, userId)
  stretched.set(digits, known)
  return known
}
/** A key in a box for this number and share. */
async function boxedKey(digits: string, epoch = 1, { sk, share: half } = share): Promise<Identity> {
  const { stored } = await createKey({ userId, epoch }, await stretchOnce(digits), fromBase64Url(half))
  return { epoch, pub: toBase64Url(stored.pub), box: toBase64Url(stored.box), n: stored.n, sk }
}
const open = (answer = unlocked(), digits = '1815') => beginOpening(client, digits, userId).finish(answer)
const epochs = ({ keys }: { keys: readonly { epoch: number }[] }) => keys.map(({ epoch }) => epoch)
const isInBox = async ({ epoch, pub, box, n }: Identity, digits: string, half = share.share) =>
  unbox(
    { userId, epoch, n, pub: fromBase64Url(pub), box: fromBase64Url(box) },
    await stretchOnce(digits),
    fromBase64Url(half),
  ).then(
    () => true,
    () => false,
  )

describe('an unlock', () => {
  it('creates the first key, stores it at the server, and a reload reads it from its copy', async () => {
    const own = await open()
    expect(epochs(own)).toEqual([1])
    const [key] = sent['put'] as [Identity & { pinVersion: number }]
    expect(key).toMatchObject({ epoch: 1, sk: 's1', pinVersion: 3 })
    expect(await isInBox(key, '1815')).toBe(true)
    identities = [key]
    const copy = await loadCopies(client, userId)
    expect(copy.keys.map(({ pub }) => toBase64Url(pub))).toEqual([key.pub])
    await expect(crypto.subtle.exportKey('pkcs8', copy.keys[0]!.privateKey)).rejects.toThrow()
  })

  it('creates it also when only the answer names the person', async () => {
    expect(epochs(await beginOpening(client, '1815', undefined).finish(unlocked()))).toEqual([1])
  })

  it('sends the first key again when the answer was lost', async () => {
    let isLost = true
    put = () => {
      if (!isLost) return { status: 200, body: { ok: true } }
      isLost = false
      return 'no connection'
    }
    expect(epochs(await open())).toEqual([1])
    const [first, second] = sent['put'] as [Identity, Identity]
    expect(second).toEqual(first)
  })

  it('takes the key of another device that was first', async () => {
    const winner = await boxedKey('1815')
    put = () => {
      identities = [winner]
      return refusal(409, 'key_conflict')
    }
    const answer = unlocked()
    const own = await open(answer)
    expect(own.keys.map(({ pub }) => toBase64Url(pub))).toEqual([winner.pub])
  })

  it('works without a key that could not be stored', async () => {
    put = () => refusal(503, 'unavailable')
    expect(await open()).toEqual({ keys: [], lostEpochs: [] })
  })

  it('opens all keys, and names those whose box does not open', async () => {
    identities = [await boxedKey('1815', 1), await boxedKey('9999', 2), await boxedKey('1815', 3)]
    const own = await open()
    expect(epochs(own)).toEqual([1, 3])
    expect(own.lostEpochs).toEqual([2])
    expect(sent['put']).toBeUndefined()
  })

  it('moves a box to the present secret of the server', async () => {
    const former = { sk: 's0', share: random() }
    identities = [await boxedKey('1815', 1, former)]
    const moved = new Promise<Identity>((resolve) => {
      put = (body) => {
        resolve(body as Identity)
        return { status: 200, body: { ok: true } }
      }
    })
    await open({ ...unlocked(), keyShares: [share, former] })
    expect((await moved).sk).toBe('s1')
    expect(await isInBox(await moved, '1815')).toBe(true)
    expect(await isInBox(await moved, '1815', former.share)).toBe(false)
  })

  it('gives no key without shares', async () => {
    expect(await open({ ...unlocked(), keyShares: [] })).toEqual({ keys: [], lostEpochs: [] })
    expect(server.asked).toEqual([])
  })

  it('on plain http there is no key, and nothing is requested', async () => {
    offerCrypto(null)
    expect(await open()).toEqual({ keys: [], lostEpochs: [] })
    expect(await loadCopies(client, userId)).toEqual({ keys: [], lostEpochs: [] })
    expect(server.asked).toEqual([])
  })
})

describe('the copy on the device', () => {
  it('does not open with the key of another unlock, or once the server has forgotten it', async () => {
    await open()
    identities = sent['put'] as Identity[]
    const own = copyKey.value
    copyKey.value = random()
    expect(epochs(await loadCopies(client, userId))).toEqual([])
    copyKey.value = ''
    expect(epochs(await loadCopies(client, userId))).toEqual([])
    copyKey.value = own
    expect(epochs(await loadCopies(client, userId))).toEqual([1])
  })

  it('is requested until the server answers, because without keys text would be sent plain', async () => {
    await open()
    identities = sent['put'] as Identity[]
    let failures = 2
    server.answers['GET /api/identity'] = () =>
      failures-- > 0
        ? refusal(503, 'unavailable')
        : { status: 200, body: { identities, copyKey: copyKey.value } }
    expect(epochs(await loadCopies(client, userId))).toEqual([1])
  })

  it('is of no use when it is damaged', async () => {
    await open()
    identities = sent['put'] as Identity[]
    localStorage.setItem(copiesKey, 'not base64url!')
    expect(epochs(await loadCopies(client, userId))).toEqual([])
  })

  it('contains neither the number nor the key in readable form', async () => {
    await open()
    const copy = localStorage.getItem(copiesKey) ?? ''
    expect(fromBase64Url(copy)).toHaveLength(12 + 138 + 16)
  })
})

describe('a change of the number', () => {
  it('brings a box of each key for the new number', async () => {
    identities = [await boxedKey('1815', 1), await boxedKey('1815', 2)]
    const { boxes = [], pinVersion } = (await boxesForChange(client, userId, '1815', '2718')) ?? {}
    expect(pinVersion).toBe(3)
    expect(boxes.map(({ epoch, sk }) => [epoch, sk])).toEqual([
      [1, 's1'],
      [2, 's1'],
    ])
    for (const [index, { box }] of boxes.entries()) {
      const moved = { ...(identities[index] as Identity), box }
      expect([await isInBox(moved, '2718'), await isInBox(moved, '1815')]).toEqual([true, false])
    }
  })

  it('needs no box, and no other try of the number, without a key', async () => {
    expect(await boxesForChange(client, userId, '1815', '2718')).toBeUndefined()
    expect(sent['verify']).toBeUndefined()
  })

  it.each([
    ['a wrong number', '1111', '1815', 'wrong_pin'],
    ['a key that does not open', '1815', '9999', 'keys_lost'],
  ])('is refused for %s', async (_name, digits, boxedFor, code) => {
    identities = [await boxedKey(boxedFor)]
    await expect(boxesForChange(client, userId, digits, '2718')).rejects.toMatchObject({ code })
  })
})

describe('new keys', () => {
  it('are the next epoch, give up what does not open, and are in the copies', async () => {
    identities = [await boxedKey('1815', 1), await boxedKey('9999', 2)]
    await makeNewKeys(client, userId, '1815')
    const [body] = sent['renew'] as [{ key: Identity; lostEpochs: number[]; currentNumericPassword: string }]
    expect(body).toMatchObject({ currentNumericPassword: '1815', pinVersion: 3, lostEpochs: [2] })
    expect(body.key.epoch).toBe(3)
    expect(await isInBox(body.key, '1815')).toBe(true)
    identities = [...identities, body.key]
    expect(epochs(await loadCopies(client, userId))).toEqual([1, 3])
  })

  it('are requested again with the same key when the answer was lost', async () => {
    identities = [await boxedKey('1815', 1)]
    let isLost = true
    const answer = server.answers['POST /api/identity/renew']
    server.answers['POST /api/identity/renew'] = (body) => {
      const given = answer?.(body) ?? { status: 500 }
      if (!isLost) return given
      isLost = false
      return 'no connection'
    }
    await makeNewKeys(client, userId, '1815')
    expect(sent['renew']).toHaveLength(2)
    expect(sent['renew']?.[1]).toEqual(sent['renew']?.[0])
  })

  it('are not made with a wrong number', async () => {
    await expect(makeNewKeys(client, userId, '1111')).rejects.toMatchObject({ code: 'wrong_pin' })
    expect(sent['renew']).toBeUndefined()
  })
})
