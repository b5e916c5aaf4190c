import type { Connection } from 'mongoose'
import { createMediaStore } from './media-store.ts'

it('lets uploads that begin or break off together use six connections to the database, and each its turn', async () => {
  const answers: ((row: null) => void)[] = []
  const answer = () => new Promise<null>((resolve) => answers.push(resolve))
  const collection = { findOneAndUpdate: answer, updateOne: answer }
  const connection = { model: () => ({ collection }) } as unknown as Connection
  const store = createMediaStore(connection, undefined as never)
  const begin = (_: unknown, number: number) =>
    number % 2 === 0
      ? store.beginAttempt({ key: `k${number}`, ownerId: 'u', sessionId: 's' }, `k${number}.x`, new Date(0))
      : store.endAttempts(`k${number}`, [`k${number}.x`])
  const begun = Array.from({ length: 100 }, begin)
  await Promise.resolve()
  for (let answered = 0; answered < begun.length; answered += 1) {
    await new Promise(setImmediate)
    expect(answers.length).toBe(Math.min(answered + 6, begun.length))
    answers[answered]?.(null)
  }
  await Promise.all(begun)
})
