import { emptyConversation } from '@sumlock/sync/known-messages'
import { FakeClock } from '@sumlock/sync/test-support/fake-clock'
import { waitFor } from '@testing-library/react'
import {
  browserOf,
  fakeKeyServer,
  newOwnKey,
  outgoing,
  publicKeyOf,
  storedOf,
} from '../../../test/sealed-people.ts'
import type { PagePresence } from '../device/page-presence.ts'
import { lookOf } from '../sealed/look.ts'
import { listOf, messagingApi } from './messaging-api.ts'

type Keys = { epoch: number; pub: string }[]
const lost = () => new Promise<Keys>(() => undefined)
const failed = () => Promise.reject(new Error('No connection'))
const refused = () => Promise.reject(Object.assign(new Error('Not found'), { status: 404 }))

/** A page that the test hides, shows and brings back online. */
function fakePresence() {
  let isVisible = true
  const listeners = new Set<() => void>()
  const presence: PagePresence = {
    isVisible: () => isVisible,
    onReturn: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const comeBack = () => listeners.forEach((listener) => listener())
  return {
    presence,
    comeBack,
    hide: () => (isVisible = false),
    show: () => {
      isVisible = true
      comeBack()
    },
  }
}

/**
 * Ann has reset her app. A row of Ben's list contains her new key only, and her earlier messages are sealed with her
 * former key, which `/keys` still returns.
 */
async function afterReset({ ready }: { ready?: Promise<void> } = {}) {
  const [former, next, benKey] = [await newOwnKey('ann'), await newOwnKey('ann', 2), await newOwnKey('ben')]
  const ann = browserOf('ann', [former])
  await ann.meet({ id: 'ben', keys: [publicKeyOf(benKey)] })
  const texts = ['one', 'two', 'three']
  const messages = await Promise.all(
    texts.map(async (text, index) =>
      storedOf(index + 1, 'ann', await ann.text.prepare(outgoing(text, `k${index + 1}`))),
    ),
  )
  const server = fakeKeyServer()
  const all = [publicKeyOf(former), publicKeyOf(next)]
  server.shownKeys = all
  const clock = new FakeClock()
  const page = fakePresence()
  const ben = browserOf('ben', [benKey], server, {
    clock,
    presence: page.presence,
    ...(ready ? { ready } : {}),
  })
  const { content, messageType, senderId, clientMessageId, mediaUrl, sealed, seq } = messages[2]!
  const lastMessage = {
    content,
    messageType,
    senderId,
    clientMessageId,
    mediaUrl,
    sealed: sealed!,
    seq,
    isRead: true,
  }
  return {
    ...{ ben, server, clock, page, messages, all },
    /** Delivers the list. */
    list: () => ben.meet({ id: 'ann', keys: [publicKeyOf(next)] }, { lastMessage, lastSeq: 3 }),
    /** Delivers the messages of the chat. */
    chat: () => ben.receive(messages),
    /** Lets time pass second by second, so that opening a message takes no extra time. */
    async pass(seconds: number) {
      for (let second = 0; second < seconds; second += 1) {
        await clock.advance(1000)
        await ben.text.open('c', messages)
      }
    },
    /** The content of the chat and of the list. */
    shown: () => {
      const preview = listOf(ben.store.getState())?.find(({ id }) => id === 'c')?.lastMessage
      return [...ben.shown().slice(0, 3), ...(preview ? [lookOf(preview)] : [])].map((look) =>
        look.state === 'open' ? look.body.t : look.state === 'closed' ? look.why : look.state,
      )
    },
  }
}
const whole = ['one', 'two', 'three', 'three']

describe('after a reset of the partner, list and chat are whole', () => {
  it.each<[string, (given: Awaited<ReturnType<typeof afterReset>>) => Promise<unknown>]>([
    ['list, then chat', async ({ list, chat }) => [await list(), await chat()]],
    [
      'chat, then list, as after a reload in the chat',
      async ({ list, chat }) => [await chat(), await list()],
    ],
    ['both at once', ({ list, chat }) => Promise.all([list(), chat()])],
    [
      'list, a long pause, chat',
      async ({ list, chat, pass }) => [await list(), await pass(20), await chat()],
    ],
    [
      'a look before anything is known, then list and chat within a second',
      async ({ list, chat, pass, shown }) => [shown(), await pass(1), await list(), await chat()],
    ],
  ])('%s, with an instant answer', async (_order, open) => {
    const given = await afterReset()
    await open(given)
    await given.pass(1)
    await waitFor(() => expect(given.shown()).toEqual(whole))
    expect(given.server.asked).toBe(1)
  })

  it('when the key comes while the chat is being opened, without another request', async () => {
    const given = await afterReset()
    await given.list()
    await given.pass(1)
    expect(given.server.asked).toBe(1)
    // Opening had begun before the key was there.
    const messages = given.messages.map((message) => ({
      ...message,
      look: { state: 'closed', why: 'waiting' },
    }))
    const { upsertQueryData } = messagingApi.util
    await given.ben.store.dispatch(
      upsertQueryData('getMessages', 'c', { ...emptyConversation, loaded: true, messages }),
    )
    expect(given.shown()).toEqual(['waiting', 'waiting', 'waiting', 'three'])
    given.ben.text.want('c')
    await waitFor(() => expect(given.shown()).toEqual(whole))
    expect(given.server.asked).toBe(1)
  })

  it.each<[string, (() => Promise<Keys>)[]]>([
    ['a lost answer', [lost]],
    ['a failed one', [failed]],
    ['five failed ones', [failed, failed, failed, failed, failed]],
    ['one without the key, which the server has not heard of yet', [() => Promise.resolve([])]],
  ])('after %s, without a touch', async (_what, answers) => {
    const given = await afterReset()
    given.server.nextAnswers = [...answers]
    await given.chat()
    await given.list()
    expect(given.shown()).toEqual(['waiting', 'waiting', 'waiting', 'waiting'])
    let told = 0
    given.ben.text.subscribe(() => (told += 1))
    await given.pass(80)
    expect(told).toBeGreaterThan(0)
    expect(given.shown()).toEqual(whole)
    expect(given.server.asked).toBe(answers.length + 1)
  })

  it('after an answer that takes twenty seconds', async () => {
    const given = await afterReset()
    given.server.nextAnswers = [() => given.clock.wait(20_000).then(() => given.all)]
    await given.list()
    await given.chat()
    await given.pass(21)
    expect(given.shown()).toEqual(whole)
    expect(given.server.asked).toBeLessThan(5)
  })

  it('when the own keys are ready after everything else', async () => {
    let giveKeys = () => undefined as void
    const given = await afterReset({ ready: new Promise((resolve) => (giveKeys = resolve)) })
    const opened = Promise.all([given.chat(), given.list()])
    given.shown()
    await given.clock.advance(1000)
    giveKeys()
    await opened
    await given.pass(1)
    expect(given.shown()).toEqual(whole)
  })

  it('when the keys come while the own ones are awaited', async () => {
    let giveKeys = () => undefined as void
    const given = await afterReset({ ready: new Promise((resolve) => (giveKeys = resolve)) })
    const opened = Promise.all([given.chat(), given.list()])
    await given.ben.text.refreshKeys('c')
    giveKeys()
    await opened
    await given.pass(1)
    expect(given.shown()).toEqual(whole)
  })

  it('when the row of the list is missing for a minute', async () => {
    const given = await afterReset()
    await given.chat()
    await given.pass(60)
    await given.list()
    await given.pass(1)
    expect(given.shown()).toEqual(whole)
  })
})

describe('the requests for a missing key are few', () => {
  /** Removes Ann's former key from the answers, so that her rows wait. */
  const waitingFor = async (answers: (() => Promise<Keys>)[] = []) => {
    const given = await afterReset()
    given.server.shownKeys = []
    given.server.nextAnswers = answers
    await given.list()
    await given.chat()
    return given
  }

  it('they become rarer, and end', async () => {
    const given = await waitingFor()
    const askedWithin = async (seconds: number) => {
      await given.clock.advance(seconds * 1000)
      return given.server.asked
    }
    expect(await askedWithin(1)).toBe(1)
    expect(await askedWithin(59)).toBeLessThan(7)
    expect(await askedWithin(1000)).toBe(12)
    expect(await askedWithin(100_000)).toBe(12)
    expect(given.clock.pending).toBe(0)
  })

  it('one request serves all rows, and another message does not hasten it', async () => {
    const given = await waitingFor()
    for (let times = 0; times < 20; times += 1) {
      await given.chat()
      await given.list()
    }
    expect(given.server.asked).toBe(1)
  })

  it('they pause while the page is hidden, and go on when it is shown', async () => {
    const given = await waitingFor([failed])
    given.page.hide()
    await given.clock.advance(600_000)
    expect(given.server.asked).toBe(1)
    given.server.shownKeys = given.all
    given.page.show()
    await given.pass(2)
    expect(given.shown()).toEqual(whole)
    expect(given.server.asked).toBe(2)
  })

  it('a refusal ends them until the person returns; repeated returns cause one request in five seconds', async () => {
    const given = await waitingFor([refused, refused])
    await given.clock.advance(600_000)
    expect(given.server.asked).toBe(2)
    for (let times = 0; times < 30; times += 1) {
      given.page.comeBack()
      await given.clock.advance(100)
    }
    expect(given.server.asked).toBe(3)
    given.server.shownKeys = given.all
    given.page.comeBack()
    await given.pass(6)
    expect(given.shown()).toEqual(whole)
  })

  it('after they have ended, another waiting message starts them again', async () => {
    const given = await waitingFor()
    await given.clock.advance(1_000_000)
    expect(given.server.asked).toBe(12)
    await given.chat()
    await given.clock.advance(1_000_000)
    expect(given.server.asked).toBe(12)
    given.server.shownKeys = given.all
    await given.ben.receive([{ ...given.messages[0]!, seq: 4, clientMessageId: 'k4' }])
    await given.pass(2)
    expect(given.shown()).toEqual(whole)
  })

  it('a page that closes sends no more requests', async () => {
    const given = await waitingFor([failed])
    given.ben.text.close()
    given.page.comeBack()
    await given.clock.advance(1_000_000)
    expect(given.server.asked).toBe(1)
  })

  it('nothing is requested while every row opens', async () => {
    const given = await afterReset()
    await given.ben.meet({ id: 'ann', keys: [] }, { lastSeq: 0 })
    await given.ben.text.refreshKeys('c')
    await given.list()
    await given.chat()
    await given.pass(10)
    expect(given.shown()).toEqual(whole)
    expect(given.server.asked).toBe(1)
  })
})
