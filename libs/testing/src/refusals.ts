import { testSize } from './config.ts'

/**
 * Nobody was let in: wrong (403), or too many at once (429). At full size a slow machine may make one wait beyond the
 * gateway's two seconds (503); that is let pass there, because what matters is counted in the database.
 */
export function expectAllRefused(answers: readonly { status: number }[]): void {
  const allowed = testSize === 'full' ? [403, 429, 503] : [403, 429]
  const statuses = [...new Set(answers.map(({ status }) => status))]
  expect(statuses.filter((status) => !allowed.includes(status))).toEqual([])
}
