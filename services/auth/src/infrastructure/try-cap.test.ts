import { createTryCap } from './try-cap.ts'

it('runs eight PIN tries of a session at once, answers null to the ninth, and accepts tries again afterwards', async () => {
  const cap = createTryCap(8)
  let finish: () => void = () => undefined
  const finished = new Promise<void>((resolve) => (finish = resolve))
  const work = () => finished.then(() => 'ran')
  const eight = Array.from({ length: 8 }, () => cap.run('own', work))
  expect(await cap.run('own', work)).toBeNull()
  const other = cap.run('other', work)
  finish()
  expect(await Promise.all([...eight, other])).toEqual(Array.from({ length: 9 }, () => 'ran'))
  expect(await cap.run('own', work)).toBe('ran')
})

it('accepts PIN tries again after one threw', async () => {
  const cap = createTryCap(1)
  await expect(cap.run('own', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await cap.run('own', () => Promise.resolve('ran'))).toBe('ran')
})
