import { AppError, unavailable } from '@sumlock/service-kit/app-error'
import type { Context } from '../context.ts'
import { redeemCode } from './redeem-code.ts'

/** Redeems a code while the database fails with this error; resolves with the tries that are counted afterwards. */
async function triesAfter(failure: Error): Promise<number> {
  let tries = 0
  const ctx = {
    clock: { now: () => new Date('2026-11-29T12:00:00Z') },
    config: { REDEEM_TRIES_PER_ADDRESS: 60 },
    codes: { hashOf: (text: string) => text },
    redeemTries: {
      add: () => Promise.resolve((tries += 1)),
      giveBack: () => Promise.resolve(void (tries -= 1)),
    },
    redeeming: { run: () => Promise.reject(failure) },
  } as unknown as Context
  const input = { userId: 'ann', clientAddress: '192.0.2.1', upgradeCode: 'ABCD-EFGH-JKMN-PQRS' }
  await expect(redeemCode(ctx, input)).rejects.toBe(failure)
  return tries
}

it('counts no try to redeem a code when the service was too busy to look at it', async () => {
  expect(await triesAfter(unavailable('gifts', new Error('no primary')))).toBe(0)
})

it('counts a try for the person and one for the address when a code is refused', async () => {
  expect(await triesAfter(new AppError('conflict', 'upgrade_code_used', 'Used.'))).toBe(2)
  expect(await triesAfter(new AppError('not-found', 'upgrade_code_unknown', 'Unknown.'))).toBe(2)
})
