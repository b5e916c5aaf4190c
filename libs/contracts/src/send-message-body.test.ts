import { exampleValues } from './example-values.ts'
import { sendMessageBody } from './send-message-body.ts'

const isAccepted = (body: object) =>
  sendMessageBody.safeParse({ conversationId: exampleValues.conversationId, ...body }).success

it('ENT-21: the type of a message is text, image, video or voice, and may be left out for a text', () => {
  expect(isAccepted({ content: 'Hello' })).toBe(true)
  expect(isAccepted({ messageType: 'text', content: 'Hello' })).toBe(true)
  for (const messageType of ['image', 'video', 'voice']) {
    expect(isAccepted({ messageType, mediaUrl: '/objects/1' })).toBe(true)
    expect(isAccepted({ messageType })).toBe(false)
  }
  expect(isAccepted({ messageType: 'file', mediaUrl: '/objects/1' })).toBe(false)
  expect(isAccepted({ mediaUrl: '/objects/1' })).toBe(false)
})
