import { waitFor } from '@testing-library/react'
import { fakeApi } from '../../../test/fake-api.ts'
import { pathsTo } from '../../../test/held-values.ts'
import { openPage } from '../../../test/page.ts'
import { browserOf, fakeKeyServer, newOwnKey, publicKeyOf } from '../../../test/sealed-people.ts'
import { listOf } from './messaging-api.ts'
import { prepareSession, sessionOf } from './session-of.ts'

it('another person on the same page gets neither the keys nor the unsent text of the one who unlocked it', async () => {
  const own = btoa('b'.repeat(32))
  const server = fakeApi({ 'GET /api/outbox-key': () => ({ status: 200, body: { outboxKey: own } }) })
  const page = openPage()
  const keys = Promise.resolve({ keys: [await newOwnKey('ada')], lostEpochs: [] })
  page.unlocked = { userId: 'ada', outboxKey: btoa('a'.repeat(32)), keys }
  expect((await sessionOf(page, 'ada')).outboxKey).toBe(btoa('a'.repeat(32)))
  const next = await sessionOf(page, 'ben')
  expect(next.outboxKey).toBe(own)
  expect(await next.text.willSeal('c')).toBe(false)
  next.close()
  server.restore()
})

it('a key of the former person that arrives late changes no conversation of the next one', async () => {
  const page = openPage()
  const server = fakeKeyServer()
  const late = Promise.withResolvers<{ epoch: number; pub: string }[]>()
  const [ada, ben] = [await newOwnKey('ada'), await newOwnKey('ben')]
  const former = browserOf('ada', [ada], server, { page })
  await former.meet({ id: 'ben', keys: [] })
  server.nextAnswers.push(() => late.promise)
  const refreshed = former.text.refreshKeys('c')
  former.text.close()
  const next = browserOf('ben', [ben], fakeKeyServer(), { page })
  await next.meet({ id: 'ada', keys: [] })
  late.resolve([publicKeyOf(ben)])
  await refreshed
  expect(listOf(page.store.getState())?.map(({ keys }) => keys)).toEqual([[]])
})

it('a lock between the right number and the first screen closes the texts, which no session has opened', async () => {
  const page = openPage()
  const keys = Promise.resolve({ keys: [await newOwnKey('ada')], lostEpochs: [] })
  page.unlocked = { userId: 'ada', outboxKey: undefined, keys }
  page.holdsSecrets = true
  page.location.canReplace = () => false
  prepareSession(page, 'ada')
  const opened = await page.opening!.texts
  const holdsKey = () => {
    const isKey = (value: unknown) => Object.prototype.toString.call(value) === '[object CryptoKey]'
    return pathsTo(isKey, { text: opened.text }, (value) => value === page || value === globalThis).found
  }
  expect(holdsKey()).not.toEqual([])
  page.lock.dispatch('said-open')
  page.lock.dispatch('said-locked')
  await waitFor(() => expect(page.unlocked).toBeNull())
  await waitFor(() => expect(holdsKey()).toEqual([]))
})
