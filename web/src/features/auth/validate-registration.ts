import { faultOf } from '../../shared/lib/field-rules.ts'
import type { Faults } from '../../shared/lib/form-fields.ts'
import type { Registration } from '../session/session-api.ts'
import { checkPhone } from './sign-up-rules.ts'
import type { SignUpRules } from './sign-up-rules.ts'

/** The screen shows the fields in this order. */
export const signUpFields = ['fullName', 'username', 'email', 'phone', 'password', 'confirmPassword'] as const
export type SignUpField = (typeof signUpFields)[number]

/** Returns the values to send, and the faults to correct before a code is sent. The server checks them again. */
export function validateRegistration(
  { confirmPassword, ...typed }: Record<SignUpField, string>,
  rules: SignUpRules,
): { registration: Registration; faults: Faults<SignUpField> } {
  const { phone, fault } = checkPhone(typed.phone, rules)
  const faults = {
    fullName: faultOf(rules.fullName, typed.fullName),
    username: faultOf(rules.username, typed.username),
    email: faultOf(rules.email, typed.email),
    phone: fault,
    password: faultOf(rules.password, typed.password),
    confirmPassword: confirmPassword === typed.password ? undefined : "Passwords don't match",
  }
  return { registration: { ...typed, phone }, faults }
}
