import { createLogger } from '@sumlock/service-kit/logger'
import type { Context } from '../context.ts'
import { createBackgroundWork } from '../infrastructure/background-work.ts'
import { requestPhoneCode } from './request-phone-code.ts'
import { verifyPhoneCode } from './verify-phone-code.ts'

const logger = createLogger({ service: 'auth', instance: 'auth-1', level: 'silent' })
const nothing = () => undefined

it('a code that could not be stored counts neither for the number nor for the address', async () => {
  const counted: string[] = []
  const ctx = {
    config: { RATE_LIMITS: 'on', SMS_PER_HOUR: 10 },
    clock: { now: () => new Date() },
    codeMac: (kind: string, of: string) => `${kind} ${of}`,
    metrics: { phoneCode: nothing },
    sendLimits: {
      take: async (receiver: string) => Promise.resolve(counted.push(receiver)).then(() => 0),
      giveBack: async (receiver: string) =>
        Promise.resolve(void counted.splice(counted.indexOf(receiver), 1)),
      claimFirst: () => Promise.resolve(true),
      takeFromBudget: () => Promise.resolve(undefined),
    },
    connection: { startSession: () => Promise.reject(new Error('not primary')) },
  } as unknown as Context
  const input = { phone: '+4915112345678', previousProof: undefined, address: '2001:db8::1' }
  await expect(requestPhoneCode(ctx, input)).rejects.toThrow('not primary')
  expect(counted).toEqual([])
})

it('a code is verified although its point could not be given back', async () => {
  let refusals = 0
  const background = createBackgroundWork(logger)
  const ctx = {
    clock: { now: () => new Date() },
    codeMac: () => 'mac',
    metrics: { phoneCodeVerified: nothing },
    background,
    sendLimits: { giveBack: () => Promise.reject(new Error(`refused ${(refusals += 1)}`)) },
    phoneVerifications: {
      takeGuess: () =>
        Promise.resolve({ codeMac: 'mac', guesses: 1, sentAt: new Date(), askedFrom: ['one'] }),
      verify: () => Promise.resolve(true),
    },
  } as unknown as Context
  await verifyPhoneCode(ctx, { proof: 'proof', code: '123456' })
  await background.settled()
  expect(refusals).toBe(1)
})
