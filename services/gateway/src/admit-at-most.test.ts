import { EventEmitter } from 'node:events'
import type { Request, Response } from 'express'
import { admitAtMost } from './admit-at-most.ts'

it('refuses at once who comes while enough are served, and says when to come again', () => {
  const admit = admitAtMost(2)
  const arrive = () => {
    const headers = new Map<string, string>()
    const set = (name: string, value: string) => headers.set(name, value)
    const response = Object.assign(new EventEmitter(), { set, headers })
    let admitted = false
    let refusal: unknown
    try {
      void admit({} as Request, response as unknown as Response, () => (admitted = true))
    } catch (error) {
      refusal = error
    }
    return { admitted, refusal, response }
  }
  const first = arrive()
  expect([first.admitted, arrive().admitted]).toEqual([true, true])
  const third = arrive()
  expect(third).toMatchObject({ admitted: false, refusal: { status: 429, code: 'too_many_requests' } })
  expect(third.response.headers.get('retry-after')).toBe('1')
  first.response.emit('close')
  expect([arrive().admitted, arrive().admitted]).toEqual([true, false])
})
