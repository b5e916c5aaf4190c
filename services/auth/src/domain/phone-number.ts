import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Whether a number in E.164 has a country and a length that the country has, without a prefix of calls inside of it. */
export function canExist(phone: string): boolean {
  const parsed = parsePhoneNumberFromString(phone)
  return parsed?.number === phone && parsed.isPossible()
}
