import { registrationLimits as limits } from '@sumlock/contracts/registration-limits'
import type { ApiError } from '../../api/request.ts'
import type { Registration } from '../session/session-api.ts'

export type RegistrationFaults = Partial<Record<keyof Registration | 'confirmPassword', string>>

/** A phone number as people write it, without blanks, brackets and dashes. */
export const toInternational = (phone: string): string => phone.replace(/[\s().-]/g, '').replace(/^00/, '+')

const fields = ['fullName', 'username', 'email', 'phone', 'password'] as const

const taken = 'This is taken. Please choose another.'

/** The faults that the server found. */
export function refusedFields({ code, sentence, fields: told = {} }: ApiError): RegistrationFaults {
  if (code === 'username_taken') return { username: sentence ?? taken }
  if (code === 'email_taken') return { email: sentence ?? taken }
  return Object.fromEntries(fields.flatMap((name) => (told[name] ? [[name, told[name]]] : [])))
}

/** The faults to correct before a code is sent; empty when there are none. The server checks again. */
export function validateRegistration(input: Registration, confirmPassword: string): RegistrationFaults {
  const faults: RegistrationFaults = {}
  if (input.fullName === '') faults.fullName = 'Enter your full name.'
  else if (input.fullName.length > limits.fullNameMaxLength)
    faults.fullName = `Use at most ${limits.fullNameMaxLength} characters.`
  if (input.username === '') faults.username = 'Enter a username.'
  else if (!/^[\p{L}\p{N}_.-]+$/u.test(input.username))
    faults.username = 'Use letters, digits, dots, dashes or underscores.'
  else if (
    input.username.length < limits.usernameMinLength ||
    input.username.length > limits.usernameMaxLength
  ) {
    faults.username = `Use ${limits.usernameMinLength} to ${limits.usernameMaxLength} characters.`
  }
  if (!/^[^\s@]{1,64}@[^\s@]+\.[^\s@]{2,}$/.test(input.email) || input.email.length > limits.emailMaxLength)
    faults.email = 'Enter a valid e-mail address.'
  if (!/^\+[1-9]\d{6,14}$/.test(input.phone))
    faults.phone = 'Enter the number with its country code, like +15550001234.'
  if (input.password.length < limits.passwordMinLength) {
    faults.password = `Password must be at least ${limits.passwordMinLength} characters long`
  } else if (new TextEncoder().encode(input.password).length > limits.passwordMaxBytes) {
    faults.password = 'Password is too long.'
  }
  if (confirmPassword !== input.password) faults.confirmPassword = "Passwords don't match"
  return faults
}
