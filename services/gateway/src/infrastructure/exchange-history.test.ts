import { createExchangeHistory } from './exchange-history.ts'

it('lists a forgotten session only while an earlier exchange is running', () => {
  const history = createExchangeHistory()
  const first = history.start()
  history.forget('a')
  const second = history.start()
  history.forget('b')
  expect(history.isForgotten(first, 'a')).toBe(true)
  expect(history.isForgotten(second, 'a')).toBe(false)
  history.end(first)
  expect(history.forgotten()).toBe(1)
  history.end(second)
  expect(history.forgotten()).toBe(0)
})

it('lists no forgotten session while no exchange is running', () => {
  const history = createExchangeHistory()
  history.end(history.start())
  history.forget('a')
  expect(history.forgotten()).toBe(0)
})

it('moves a session that is forgotten again behind the exchanges started since', () => {
  const history = createExchangeHistory()
  const first = history.start()
  history.forget('a')
  history.forget('b')
  const second = history.start()
  history.forget('a')
  history.end(first)
  expect(history.isForgotten(second, 'a')).toBe(true)
  expect(history.forgotten()).toBe(1)
})

it('treats every exchange from before a reset as outdated', () => {
  const history = createExchangeHistory()
  const before = history.start()
  history.reset()
  const after = history.start()
  expect(history.isBeforeReset(before)).toBe(true)
  expect(history.isForgotten(before, 'any')).toBe(true)
  expect(history.isBeforeReset(after)).toBe(false)
  expect(history.isForgotten(after, 'any')).toBe(false)
})
