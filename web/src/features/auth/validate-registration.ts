import type { ApiError } from '../../api/client.ts'
import { faultOf } from '../../shared/lib/field-rules.ts'
import type { Registration } from '../session/session-api.ts'
import { checkPhone } from './sign-up-rules.ts'
import type { SignUpRules } from './sign-up-rules.ts'

export type RegistrationFaults = Partial<Record<keyof Registration | 'confirmPassword', string>>

const fields = ['fullName', 'username', 'email', 'phone', 'password'] as const

const taken = 'This is taken. Please choose another.'

/** The faults that the server found. */
export function refusedFields({ code, sentence, fields: told = {} }: ApiError): RegistrationFaults {
  if (code === 'username_taken') return { username: sentence ?? taken }
  return Object.fromEntries(fields.flatMap((name) => (told[name] ? [[name, told[name]]] : [])))
}

/** What is sent of a form, and the faults to correct before a code is sent. The server checks again. */
export function validateRegistration(
  input: Registration & { confirmPassword: string },
  rules: SignUpRules,
): { registration: Registration; faults: RegistrationFaults } {
  const { confirmPassword, ...typed } = input
  const { phone, fault } = checkPhone(input.phone, rules)
  const faults: RegistrationFaults = {}
  for (const name of fields) {
    const found = name === 'phone' ? fault : faultOf(rules[name], typed[name])
    if (found !== undefined) faults[name] = found
  }
  if (input.username === '') faults.username = 'Enter a username.'
  if (confirmPassword !== input.password) faults.confirmPassword = "Passwords don't match"
  return { registration: { ...typed, phone }, faults }
}
