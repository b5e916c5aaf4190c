import { wrongPinSentence } from '@sumlock/contracts/auth-routes'
import { AppError } from '@sumlock/service-kit/app-error'

export const wrongPin = () => new AppError('forbidden', 'wrong_pin', wrongPinSentence)
export const pinAlreadySet = () =>
  new AppError('conflict', 'pin_already_set', 'A security password is set already.')
export const wrongCredentials = () =>
  new AppError('forbidden', 'wrong_credentials', 'The username or the password is not right.')
export const usernameTaken = () =>
  new AppError('conflict', 'username_taken', 'That username is taken. Please choose another.')
export const emailTaken = () =>
  new AppError(
    'conflict',
    'email_taken',
    'There is an account with that e-mail already. Sign in, or use another address.',
  )
export const phoneNotVerified = () =>
  new AppError('forbidden', 'phone_not_verified', 'Please verify your phone number first.')
export const wrongCode = () => new AppError('forbidden', 'wrong_code', 'Please check the code and try again.')
export const codeExpired = () =>
  new AppError('forbidden', 'code_expired', 'This code is no longer valid. Please ask for a new one.')
export const tooManyCodes = () =>
  new AppError(
    'rate-limited',
    'too_many_requests',
    'A code was sent a moment ago. Please wait a little before asking again.',
  )
export const smsBudgetSpent = () =>
  new AppError(
    'rate-limited',
    'too_many_requests',
    'We cannot send codes right now. Please try again in an hour.',
  )
export function tooManySignIns(waitMs: number) {
  const seconds = Math.ceil(waitMs / 1000)
  const wait = seconds > 60 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`
  return new AppError(
    'rate-limited',
    'too_many_requests',
    `Too many wrong passwords. Please try again in ${wait}.`,
    {},
    { retryAfterSeconds: seconds },
  )
}
export const notUnlocked = () => new AppError('locked', 'locked', 'Please unlock first.')
