import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'

/** Whether a number in E.164 has a country and a length of that country, without the prefix of national calls. */
export function canExist(phone: string): boolean {
  const parsed = parsePhoneNumberFromString(phone)
  return parsed?.number === phone && parsed.isPossible()
}

/** Whether a code is an ISO 3166 country with phone numbers, as `DE`. */
export const isCountry = (code: string): boolean => isSupportedCountry(code)

/** Whether a number in E.164 belongs to one of these ISO 3166 countries; a number without a known country does not. */
export function isIn(countries: readonly string[], phone: string): boolean {
  const country = parsePhoneNumberFromString(phone)?.country
  return country !== undefined && countries.includes(country)
}
