import { act, renderHook, waitFor } from '../../../test/render.tsx'
import { fakeApi, refusal } from '../../../test/fake-api.ts'
import { fakeMessaging } from '../../../test/fake-messaging.tsx'
import { useUnsent } from './use-unsent.ts'

it('a row shows the draft and the newest unsent message of its conversation, a failed one before a waiting one', async () => {
  const server = fakeApi({ 'POST /api/messages': () => refusal(402, 'daily_limit_reached') })
  const { Wrapper, drafts, outbox, close } = await fakeMessaging()
  const { result } = renderHook(() => useUnsent('c'), { wrapper: Wrapper })
  const content = () => result.current.item?.message.content
  expect(result.current).toEqual({ draft: '', item: null })

  act(() => drafts.set('other', 'not this one'))
  expect(result.current.draft).toBe('')
  act(() => drafts.set('c', 'half a'))
  expect(result.current.draft).toBe('half a')

  act(() => void outbox.add('other', { messageType: 'text', content: 'elsewhere' }))
  expect(result.current.item).toBeNull()
  act(() => void outbox.add('c', { messageType: 'text', content: 'first' }))
  expect(content()).toBe('first')
  await waitFor(() => expect(result.current.item?.status).toBe('failed'))
  server.answers['POST /api/messages'] = () => new Promise(() => undefined)
  act(() => void outbox.add('c', { messageType: 'text', content: 'second' }))
  expect(content()).toBe('first')
  act(() => outbox.discard(result.current.item?.message.clientMessageId ?? ''))
  expect(content()).toBe('second')
  close()
  server.restore()
})
