import { toMessageBody } from './message-body.ts'

const at = 1
const re = { by: 'ada', id: 'm1', seq: 3 }

it('a body names the message that it answers', () => {
  expect(toMessageBody({ t: 'Yes', at, re })?.re).toEqual(re)
})

it.each<[string, unknown]>([
  ['a text', 'm1'],
  ['null', null],
  ['a name without a sender', { id: 'm1', seq: 3 }],
  ['a seq that is no number', { ...re, seq: '3' }],
  ['seq 0', { ...re, seq: 0 }],
  ['a seq that is not whole', { ...re, seq: 1.5 }],
])('%s is no answered message, and the rest of the body counts', (_what, wrong) => {
  expect(toMessageBody({ t: 'Yes', at, re: wrong })).toEqual({ t: 'Yes', at })
})
