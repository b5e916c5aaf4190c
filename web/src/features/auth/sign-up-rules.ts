import { faultOf, loadAccountFields } from '../../shared/lib/field-rules.ts'
import type { AccountFields } from '../../shared/lib/field-rules.ts'

/** Forms with a phone number check these rules before a code is sent. */
export interface SignUpRules extends AccountFields {
  parsePhone: (text: string) => string | undefined
}

export async function loadSignUpRules(): Promise<SignUpRules> {
  const [fields, { parsePhone }] = await Promise.all([loadAccountFields(), import('./phone-number.ts')])
  return { ...fields, parsePhone }
}

/** Returns the number in the form that the server takes, and the fault if there is one. */
export function checkPhone(text: string, rules: SignUpRules): { phone: string; fault?: string } {
  const phone = rules.parsePhone(text)
  if (phone !== undefined) return { phone }
  const digits = text.replace(/[\s().-]/g, '')
  return {
    phone: digits,
    fault: faultOf(rules.phone, digits) ?? 'No such number can exist. Please check its digits.',
  }
}
