import { pinLimits as limits } from '@sumlock/contracts/pin-limits'

export interface PinFault {
  field: 'pin' | 'confirmation'
  title: string
  description: string
}

/** What is wrong with a new number and its repetition. */
export function pinFaultOf(pin: string, confirmation: string): PinFault | null {
  const invalid = { field: 'pin', title: 'Invalid password' } as const
  if (pin === '') return { ...invalid, description: 'Password must contain only numbers' }
  if (pin.length < limits.pinMinLength)
    return { ...invalid, description: `Use at least ${limits.pinMinLength} digits.` }
  if (pin.length > limits.pinMaxLength)
    return { ...invalid, description: `Use at most ${limits.pinMaxLength} digits.` }
  if (pin !== confirmation)
    return {
      field: 'confirmation',
      title: "Passwords don't match",
      description: 'Please confirm your password',
    }
  return null
}
