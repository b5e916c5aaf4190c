import { signatureInvalid } from '../domain/store-errors.ts'
import type { Payments } from '../domain/payment.ts'

/**
 * Simulates a provider: every payment is paid at once, and no money moves. The configuration refuses the sandbox where
 * others can reach the product.
 */
export const createSandboxPayments = (): Payments => ({
  provider: 'sandbox',
  openCheckout: ({ _id }) => Promise.resolve({ checkoutId: _id }),
  stateOf: () => Promise.resolve('paid'),
  readEvent: () => Promise.reject(signatureInvalid('the sandbox sends no events')),
  readDisputes: () => Promise.resolve(null),
})
