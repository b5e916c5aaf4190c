import { createLogger } from '@sumlock/service-kit/logger'
import { decideTry, emptyBudget } from '../domain/unlock-budget.ts'
import type { UnlockBudget } from '../domain/unlock-budget.ts'
import { settlePinTurn } from './settle-pin-turn.ts'

const now = new Date(Date.UTC(2026, 0, 1, 12))
/** Another session entered a wrong number before. */
const before = { ...emptyBudget(now), explicit: 1, wrongEntries: 1 }
const own = { userId: 'u', sessionId: 'own' }

function takeTurn() {
  const pinTry = { id: 'i', sessionId: 'own', way: 'password-mode', entryMac: 'm', prefixMacs: [] } as const
  const decision = decideTry(before, { ...pinTry, arrivedAt: now }, now)
  if (decision.verdict !== 'compare') throw new Error(decision.verdict)
  return { ...decision, version: 1 }
}

/** The row of an account in memory, in which others count a soft failure right before each of the next writes. */
function createRow(counted: UnlockBudget, othersAreFaster: number) {
  let row = { budget: counted, version: 1 }
  let left = othersAreFaster
  const change = (budget: UnlockBudget) => (row = { budget, version: row.version + 1 })
  return {
    budget: () => row.budget,
    read: () => Promise.resolve(row),
    write: (_userId: string, version: number, budget: UnlockBudget) => {
      if (left > 0) {
        left -= 1
        change({ ...row.budget, soft: row.budget.soft + 1 })
      }
      if (version !== row.version) return Promise.resolve(false)
      change(budget)
      return Promise.resolve(true)
    },
  }
}

async function settleRight(othersAreFaster: number) {
  const said: string[] = []
  const logger = createLogger({ service: 'test', instance: 'test', level: 'silent' })
  logger.warn = (_fields: unknown, message?: string) => void said.push(message ?? '')
  const turn = takeTurn()
  const row = createRow(turn.ifWrong, othersAreFaster)
  await settlePinTurn(
    { unlockBudgets: { ...row, reserve: () => Promise.resolve(), remove: () => Promise.resolve() }, logger },
    own,
    turn,
    turn.ifRight,
  )
  return { turn, budget: row.budget(), said }
}

it('stores the outcome of a PIN try when no other was counted since', async () => {
  const { turn, budget, said } = await settleRight(0)
  expect(budget).toEqual(turn.ifRight)
  expect(said).toEqual([])
})

it('keeps the PIN tries that were counted since, also when others are faster five times', async () => {
  const { budget, said } = await settleRight(5)
  expect(budget).toMatchObject({ soft: 5, explicit: 1, wrongEntries: 0 })
  expect(budget.sessions['own']).toMatchObject({ explicit: 0, unlockedAt: now })
  expect(said).toEqual([])
})

it('leaves a PIN try counted as wrong when others are always faster, and logs it', async () => {
  const { budget, said } = await settleRight(6)
  expect(budget).toMatchObject({ soft: 6, explicit: 2, wrongEntries: 2 })
  expect(said).toEqual(['PIN entry stays counted as wrong because its outcome could not be stored'])
})
