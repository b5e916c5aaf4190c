import { conversationWith } from '../../../test/conversation-with.ts'
import { fakeApi } from '../../../test/fake-api.ts'
import { fakeMessaging } from '../../../test/fake-messaging.tsx'
import { store, testPage } from '../../../test/page.ts'
import { createListChanges } from './list-changes.ts'
import { messagingApi } from './messaging-api.ts'
import type { Session } from './open-session.ts'

const otherUser = { id: 'ben', username: 'ben', userCode: 'ABCD-EFGH-J' }
const { listConversations } = messagingApi.endpoints

it('a list that arrives before the session is open is in the cache as soon as it is open', async () => {
  let id = 'early'
  const server = fakeApi({
    'GET /api/conversations': () => ({ status: 200, body: [conversationWith({ id, otherUser })] }),
  })
  const { promise, resolve } = Promise.withResolvers<Session>()
  testPage.opening = {
    ...{ userId: 'me', list: createListChanges(), texts: new Promise(() => undefined), session: promise },
  }
  const fetching = store.dispatch(listConversations.initiate(undefined, { subscribe: false }))
  await new Promise((then) => setTimeout(then))
  const { opening } = testPage
  const messaging = await fakeMessaging()
  testPage.opening = opening
  resolve(messaging.session)
  await fetching
  expect(messaging.text.partnerId('early')).toBe('ben')
  id = 'later'
  await store.dispatch(listConversations.initiate(undefined, { forceRefetch: true, subscribe: false }))
  expect(messaging.text.partnerId('later')).toBe('ben')
  messaging.close()
  server.restore()
})
