import { createUnreadAnswers } from './unread-answers.ts'

const cut: string[] = []
const answer = (name: string) => ({ destroy: () => cut.push(name) })
beforeEach(() => cut.splice(0))

it('cuts off only the oldest answer of a person who leaves too many unread', () => {
  const streams = createUnreadAnswers({ perOwner: 2, total: 10 })
  streams.add('ann', answer('ann 1'))
  for (const number of [1, 2, 3, 4]) streams.add('bob', answer(`bob ${number}`))
  expect(cut).toEqual(['bob 1', 'bob 2'])
})

it('cuts off the oldest answer of all people when too many are unread', () => {
  let counted = 0
  const streams = createUnreadAnswers({ perOwner: 2, total: 3 }, () => (counted += 1))
  for (const name of ['ann', 'bob', 'cem', 'dea']) streams.add(name, answer(name))
  expect(cut).toEqual(['ann'])
  expect(counted).toBe(1)
})

it('ignores the end of an answer that was cut off', () => {
  const streams = createUnreadAnswers({ perOwner: 1, total: 10 })
  const end = streams.add('ann', answer('ann 1'))
  streams.add('ann', answer('ann 2'))
  end()
  streams.add('ann', answer('ann 3'))
  expect(cut).toEqual(['ann 1', 'ann 2'])
})

it('does not count an answer that was read completely', () => {
  const streams = createUnreadAnswers({ perOwner: 1, total: 10 })
  for (let count = 0; count < 5; count += 1) streams.add('ann', answer('ann'))()
  streams.add('ann', answer('ann, unread'))
  expect(cut).toEqual([])
})
