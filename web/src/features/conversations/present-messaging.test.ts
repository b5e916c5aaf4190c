import { conversationWith } from '../../../test/conversation-with.ts'
import { fakeMessaging } from '../../../test/fake-messaging.tsx'
import { takeList } from './present-messaging.ts'

const otherUser = { id: 'ben', username: 'ben', userCode: 'ABCD-EFGH-J' }

it('a list that came before messaging was open is known as soon as it is', async () => {
  await takeList([conversationWith({ id: 'early', otherUser })])
  const messaging = await fakeMessaging()
  expect(messaging.text.partnerId('early')).toBe('ben')
  await takeList([conversationWith({ id: 'later', otherUser })])
  expect(messaging.text.partnerId('later')).toBe('ben')
  messaging.close()
})
