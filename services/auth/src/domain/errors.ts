import { wrongPinSentence } from '@sumlock/contracts/lock-routes'
import { AppError } from '@sumlock/service-kit/app-error'
import { waitSeconds, waitWords } from '@sumlock/service-kit/wait-words'

export const wrongPin = () => new AppError('forbidden', 'wrong_pin', wrongPinSentence)
export const pinAlreadySet = () =>
  new AppError('conflict', 'pin_already_set', 'A security password is set already.')
export const boxesRequired = () =>
  new AppError(
    'conflict',
    'boxes_required',
    'Your number could not be changed. Please lock, unlock and try again.',
  )
export const keyConflict = () =>
  new AppError(
    'conflict',
    'key_conflict',
    'Something changed on another device. Please lock and unlock again.',
  )
export const tooManyKeys = () =>
  new AppError('conflict', 'too_many_keys', 'Your keys were renewed too often. No new key can be added.')
export const knownKeyConflict = () =>
  new AppError('conflict', 'known_key_conflict', 'Something changed on another device. Please try again.')
export const tooManyKnownKeys = () =>
  new AppError('conflict', 'too_many_known_keys', 'You have too many conversations to remember another key.')
export const recentUnlockRequired = () =>
  new AppError('forbidden', 'recent_unlock_required', 'Please lock, and enter your number again.')
export const numberNotGiven = () =>
  new AppError(
    'forbidden',
    'number_not_given',
    'Enter your number on this device first. Until it was right here, this device cannot sign out one on which it was.',
  )
export const deletionScheduled = () =>
  new AppError('forbidden', 'deletion_scheduled', 'This account will be deleted. Open Settings to keep it.')
export const wrongCredentials = () =>
  new AppError('forbidden', 'wrong_credentials', 'The username or the password is not right.')
export const accountSuspended = () =>
  new AppError(
    'forbidden',
    'account_suspended',
    'This account is suspended. Please contact support to find out why.',
  )
export const usernameTaken = () =>
  new AppError('conflict', 'username_taken', 'That username is taken. Please choose another.')
export const passwordEasyToGuess = (field: 'password' | 'newPassword') => {
  const sentence = 'Others would try this password among the first. Please choose another.'
  return new AppError('invalid', 'invalid_request', sentence, { fields: { [field]: sentence } })
}
export const phoneNotVerified = () =>
  new AppError('forbidden', 'phone_not_verified', 'Please verify your phone number first.')
export const phoneImpossible = () => {
  const sentence = 'No such number can exist. Please check its digits.'
  return new AppError('invalid', 'invalid_request', sentence, { fields: { phone: sentence } })
}
export const wrongCode = () => new AppError('forbidden', 'wrong_code', 'Please check the code and try again.')
export const formerCode = () =>
  new AppError('forbidden', 'wrong_code', 'This code is from an earlier SMS. Please enter the newest one.')
export const codeExpired = () =>
  new AppError('forbidden', 'code_expired', 'This code is no longer valid. Please ask for a new one.')
export const verificationLinkInvalid = () =>
  new AppError('forbidden', 'link_invalid', 'Failed to verify email. The link may be invalid or expired.')
export const resetLinkInvalid = () =>
  new AppError('forbidden', 'link_invalid', 'Invalid reset link. Please request a new password reset.')
export const countryNotServed = () => {
  const sentence = 'We cannot send codes to numbers of this country. Please use another number.'
  return new AppError('invalid', 'phone_country_not_served', sentence, { fields: { phone: sentence } })
}
/** Builds a 429 error whose sentence and Retry-After header both state the wait. */
function tooManyRequests(waitMs: number, sentence: (wait: string) => string) {
  const retryAfterSeconds = waitSeconds(waitMs)
  return new AppError(
    'rate-limited',
    'too_many_requests',
    sentence(waitWords(waitMs)),
    {},
    { retryAfterSeconds },
  )
}

export const codeSentRecently = (waitMs: number) =>
  tooManyRequests(waitMs, (wait) => `A code was sent a moment ago. You can ask for another one in ${wait}.`)
export const tooManyCodes = (waitMs: number) =>
  tooManyRequests(
    waitMs,
    (wait) => `Too many codes were sent to this number. You can ask for another one in ${wait}.`,
  )
export const tooManyUnverified = (waitMs: number) =>
  tooManyRequests(
    waitMs,
    (wait) =>
      `Too many codes were requested from your network and not entered. You can ask for another one in ${wait}.`,
  )
export const smsBudgetSpent = (waitMs: number) =>
  tooManyRequests(waitMs, (wait) => `We cannot send codes right now. Please try again in ${wait}.`)
export const exportedToday = () =>
  new AppError(
    'rate-limited',
    'too_many_requests',
    'Your data was exported today already. Please try again tomorrow.',
  )
export const tooManySignIns = (waitMs: number) =>
  tooManyRequests(waitMs, (wait) => `Too many wrong passwords. Please try again in ${wait}.`)
export const notUnlocked = () => new AppError('locked', 'locked', 'Please unlock first.')
