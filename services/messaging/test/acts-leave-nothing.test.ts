import { randomUUID } from 'node:crypto'
import { placesWith, recordRedis } from '@sumlock/testing/search-marks'
import { sharedStack } from '@sumlock/testing/shared-stack'
import { eventually } from '@sumlock/testing/wait'
import { twoPeople } from './acts.ts'

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
