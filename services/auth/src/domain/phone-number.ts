import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/**
 * Returns whether a number in E.164 has a known country and a possible length, and contains no prefix for national calls.
 */
export function canExist(phone: string): boolean {
  const parsed = parsePhoneNumberFromString(phone)
  return parsed?.number === phone && parsed.isPossible()
}

/** Returns whether a code, such as `DE`, is an ISO 3166 country with phone numbers. */
export const isCountry = (code: string): boolean => isSupportedCountry(code)

/**
 * Returns whether a number in E.164 belongs to one of these ISO 3166 countries; a number without a known country does not.
 */
export function isIn(countries: readonly string[], phone: string): boolean {
  const country = parsePhoneNumberFromString(phone)?.country
  return country !== undefined && countries.includes(country)
}
