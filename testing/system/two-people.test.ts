import { getUser } from '@sumlock/contracts/auth-routes'
import { listConversations } from '@sumlock/contracts/messaging-routes'
import { openDevice } from '../kit/seats.ts'
import type { Device } from '../kit/seats.ts'
import { sharedStack } from '../kit/shared-stack.ts'
import type { RunningStack } from '../kit/shared-stack.ts'
import { readPhoneCode } from '../kit/inbox.ts'
import { befriend, unlockedPerson } from '../kit/people.ts'
import { nextEvent, nextState } from '../kit/socket.ts'
import { eventually } from '../kit/wait.ts'

let stack: RunningStack
beforeAll(async () => {
  stack = await sharedStack()
})
const opened: Device[] = []
afterAll(() => {
  for (const device of opened) device.close()
})

const text = (content: string) => ({ messageType: 'text' as const, content })

it('PROD-05 CALL-46 ENT-19: registers two people with the codes sent to their phones, and shows each message on the other screen without a reload', async () => {
  const readCode = (phone: string) => readPhoneCode(stack.addresses.inboxUrl, phone)
  const [ann, bob] = await Promise.all([
    unlockedPerson(stack, { readCode }),
    unlockedPerson(stack, { readCode }),
  ])
  expect(await ann.client.ok(getUser)).toMatchObject({
    username: ann.username,
    isPhoneVerified: true,
    isSetupComplete: true,
    dailyMessageCount: 0,
    unlockedUntil: expect.any(String),
  })
  const { id } = await befriend(ann, bob)
  const devices = { ann: openDevice(ann), bob: openDevice(bob) }
  opened.push(...Object.values(devices))
  // The devices connected before the conversation was opened and have fetched it: new messages arrive over the socket.
  await Promise.all(Object.values(devices).map(({ live }) => nextState(live, ({ connected }) => connected)))
  const views = { ann: devices.ann.open(id), bob: devices.bob.open(id) }
  await eventually(() => {
    for (const view of Object.values(views)) expect(view.getState().loaded).toBe(true)
  })

  const event = nextEvent(devices.bob.live, ({ type }) => type === 'new_message')
  views.ann.send(text('Are you there?'))
  await eventually(() =>
    expect(views.bob.getState().messages).toMatchObject([
      { content: 'Are you there?', seq: 1, senderId: ann.user.id },
    ]),
  )
  // The answer to the sender may come after the event.
  await eventually(() => expect(views.ann.getState().messages).toHaveLength(1))
  expect(await event).toEqual({
    type: 'new_message',
    data: { ...views.ann.getState().messages[0], isRead: false },
  })
  expect(views.bob.stats).toMatchObject({ receivedBySocket: 1, receivedByFetch: 0 })

  views.bob.send(text('Yes.'))
  await eventually(() => expect(views.ann.getState().messages).toHaveLength(2))
  await eventually(() => {
    expect(devices.ann.outbox.items).toEqual([])
    expect(views.ann.getState()).toMatchObject({ error: null })
    expect(views.ann.getState().messages.map(({ content, isRead }) => [content, isRead])).toEqual([
      ['Are you there?', true],
      ['Yes.', true],
    ])
  })
  const contents = (name: 'ann' | 'bob') =>
    views[name].getState().messages.map((message) => ({ ...message, isRead: null }))
  expect(contents('ann')).toEqual(contents('bob'))

  const row = await eventually(async () => {
    const [only, ...others] = await bob.client.ok(listConversations)
    expect(others).toEqual([])
    expect(only).toMatchObject({ id, lastSeq: 2, unreadCount: 0, lastMessage: { content: 'Yes.' } })
    expect(only?.lastMessageAt).toBe(views.bob.getState().messages[1]?.createdAt)
    return only
  })
  expect(row?.otherUser).toMatchObject({ username: ann.username, userCode: ann.user.userCode })
})
