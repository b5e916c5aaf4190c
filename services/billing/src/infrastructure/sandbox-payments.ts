import { signatureInvalid } from '../domain/store-errors.ts'
import type { Payments } from '../domain/payment.ts'

/** Takes no money: every payment is paid at once. The configuration refuses it where others can reach the product. */
export const createSandboxPayments = (): Payments => ({
  provider: 'sandbox',
  openCheckout: ({ _id }) => Promise.resolve({ checkoutId: _id }),
  stateOf: () => Promise.resolve('paid'),
  readEvent: () => Promise.reject(signatureInvalid('the sandbox sends no events')),
  readDisputes: () => Promise.resolve(null),
})
