import { pinLimits as limits } from '@sumlock/contracts/pin-limits'
import type { Faults } from '../../shared/lib/form-fields.ts'

export type NewPinFaults = Faults<'pin' | 'confirmation'>

/** Returns the faults of a new number and of its repetition. */
export function newPinFaults(pin: string, confirmation: string): NewPinFaults {
  if (pin === '') return { pin: 'Password must contain only numbers' }
  if (pin.length < limits.pinMinLength) return { pin: `Use at least ${limits.pinMinLength} digits.` }
  if (pin.length > limits.pinMaxLength) return { pin: `Use at most ${limits.pinMaxLength} digits.` }
  return pin === confirmation ? {} : { confirmation: 'Please confirm your password' }
}
