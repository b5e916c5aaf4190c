import { randomUUID } from 'node:crypto'
import { placesWith, recordRedis } from '@sumlock/testing/search-marks'
import { sharedStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'
import { twoPeople } from './acts.ts'
import { onceFriends } from './once.ts'

const topicOfMessages = 'topic messaging.messages'

it('what was edited or taken back is in no collection, log, hint or event any more but those of its send', async () => {
  const stack = await sharedStack()
  const { ann, say, edit, unsend, changed, ben } = await twoPeople(stack)
  const [former, taken] = [`former ${randomUUID()}`, `taken ${randomUUID()}`]
  const before = await recordRedis(stack)
  const sent = [await say(ann, former), await say(ann, taken)] as const
  for (const mark of [former, taken])
    await eventually(async () =>
      expect(await placesWith(stack, mark, before)).toEqual(['messaging.messages', topicOfMessages, 'redis']),
    )
  before.close()

  const after = await recordRedis(stack)
  await edit(ann, sent[0], 'edited')
  await unsend(ann, sent[1])
  expect(await changed(ben, 0)).toMatchObject([{ content: 'edited' }, { content: '' }])
  await eventually(() => expect(after.text()).toContain('message_changed'))
  for (const mark of [former, taken]) expect(await placesWith(stack, mark, after)).toEqual([topicOfMessages])
  after.close()
})

it('what has vanished is in no collection, log, hint or event any more but those of its send', async () => {
  const stack = await sharedStack()
  const { ann, ben, say, edit, react, read, pass, changed } = await twoPeople(stack)
  const [first, second, third] = [`first ${randomUUID()}`, `second ${randomUUID()}`, '🦩']
  const before = await recordRedis(stack)
  const sent = await say(ann, first, randomUUID(), 30_000)
  await eventually(async () =>
    expect(await placesWith(stack, first, before)).toEqual(['messaging.messages', topicOfMessages, 'redis']),
  )
  before.close()
  const edited = await edit(ann, sent, second)
  await react(ben, edited.body, third)
  for (const mark of [second, third])
    expect(await placesWith(stack, mark, before)).toEqual(['messaging.messages'])
  await read(ben, sent)

  const after = await recordRedis(stack)
  await pass(sent, 90_000)
  await eventually(
    async () => {
      for (const mark of [second, third]) expect(await placesWith(stack, mark, after)).toEqual([])
    },
    { timeoutMs: 60_000 },
  )
  expect(await placesWith(stack, first, after)).toEqual([topicOfMessages])
  expect(await changed(ann, 0)).toMatchObject([{ content: '', isVanished: true, version: 2 }])
  after.close()
})

it('what was opened once is in no collection, log, hint or event any more but those of its send', async () => {
  const stack = await sharedStack()
  const { ben, sendOnce, open, close } = await onceFriends(stack)
  const mark = `caption ${randomUUID()}`
  const before = await recordRedis(stack)
  const once = await sendOnce({ content: mark })
  await eventually(async () =>
    expect(await placesWith(stack, mark, before)).toEqual(['messaging.messages', topicOfMessages, 'redis']),
  )
  before.close()

  const after = await recordRedis(stack)
  expect(await open(ben, once)).toMatchObject({ status: 200, body: { content: mark } })
  await close(ben, once)
  await eventually(async () => expect(await placesWith(stack, mark, after)).toEqual([topicOfMessages]), {
    timeoutMs: 60_000,
  })
  after.close()
})
