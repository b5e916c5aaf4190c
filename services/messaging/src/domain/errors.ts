import type { Message } from '@sumlock/contracts/messaging-routes'
import { limits } from '@sumlock/contracts/limits'
import { AppError } from '@sumlock/service-kit/app-error'
import { nextUtcDay } from '@sumlock/service-kit/clock'
import { waitSeconds, waitWords } from '@sumlock/service-kit/wait-words'

export const conversationNotFound = () =>
  new AppError('not-found', 'conversation_not_found', 'Conversation not found')
export const unknownUserCode = () =>
  new AppError('not-found', 'unknown_user_code', 'No account has this code. Please check it and try again.')
export const ownUserCode = () =>
  new AppError('invalid', 'own_user_code', 'This is your own code. Ask the other person for theirs.')
export const personGone = () => new AppError('forbidden', 'person_gone', 'This person is no longer here.')
export const mediaNotFound = () =>
  new AppError('not-found', 'media_not_found', 'This file was not found. Please upload it again.')
export const fileTooLarge = () =>
  new AppError('too-large', 'body_too_large', 'This file is larger than announced. Please choose it again.')
export const fileIsEmpty = () =>
  new AppError('invalid', 'invalid_request', 'This file is empty. Please choose another one.')
export const partsInvalid = (sentence: string) => new AppError('invalid', 'parts_invalid', sentence)
export const lengthRequired = () =>
  new AppError('length-required', 'length_required', 'Send the file with its length.')
export const rangeNotSatisfiable = () =>
  new AppError('range-not-satisfiable', 'range_not_satisfiable', 'This part of the file does not exist.')
export const storageFull = () =>
  new AppError(
    'too-large',
    'storage_full',
    'Your storage is full. Delete a chat with media, or finish your other uploads first.',
  )
export const tooManyUploads = (waitMs: number) =>
  new AppError(
    'rate-limited',
    'too_many_requests',
    `You have ${limits.openUploads} unfinished uploads. Please finish one, or try again in ${waitWords(waitMs)}.`,
    {},
    { retryAfterSeconds: waitSeconds(waitMs) },
  )
export const keysChanged = () =>
  new AppError('conflict', 'keys_changed', 'The security code changed. Please send this message again.')
export const messageNotFound = () =>
  new AppError('not-found', 'message_not_found', 'One of these messages was not found.')
export const noSuchMessage = () =>
  new AppError('not-found', 'message_not_found', 'This message was not found.')
export const actTooLate = () =>
  new AppError(
    'conflict',
    'act_too_late',
    `A message can be changed for ${limits.actHours} hours after it was sent.`,
  )
export const actReplaced = (present: Message) =>
  new AppError('conflict', 'act_replaced', 'This message was changed on another device.', {}, { present })
export const timerReplaced = () =>
  new AppError('conflict', 'timer_replaced', 'The timer was changed meanwhile. Please look at it again.')
export const tooManyEdits = () =>
  new AppError('conflict', 'too_many_edits', 'This message cannot be edited any more.')
export const messageUnsent = (present: Message) =>
  new AppError('conflict', 'message_unsent', whyUnchangeable(present), {}, { present })
const whyUnchangeable = ({ isOnce, isVanished }: Message): string => {
  if (isOnce) return 'A message that opens once cannot be changed.'
  return isVanished ? 'This message has vanished.' : 'This message was deleted.'
}
export const alreadyOpened = () =>
  new AppError('conflict', 'already_opened', 'This message was opened before.')
export const contentMissing = () =>
  new AppError('invalid', 'invalid_request', 'Write something first.', {
    fields: { content: 'Write something first.' },
  })
export const tooManyActs = (now: Date) => {
  const waitMs = nextUtcDay(now).getTime() - now.getTime()
  return new AppError(
    'rate-limited',
    'too_many_requests',
    `You have changed very many messages today. Please try again in ${waitWords(waitMs)}.`,
    {},
    { retryAfterSeconds: waitSeconds(waitMs) },
  )
}
export const tooManyReports = () =>
  new AppError(
    'rate-limited',
    'too_many_reports',
    'You have sent 10 reports today. Please try again tomorrow.',
  )
export const reportNotFound = () =>
  new AppError('not-found', 'not_found', 'This report no longer exists. Please load the list again.')
export const clientMessageIdReused = () =>
  new AppError(
    'conflict',
    'client_message_id_reused',
    'This message was already sent with different content.',
  )
export const dailyLimitReached = (now: Date) =>
  new AppError(
    'payment-required',
    'daily_limit_reached',
    'Daily message limit reached. Upgrade to premium for unlimited messages.',
    {
      resetsAt: nextUtcDay(now).toISOString(),
    },
  )
export const tooManySends = () =>
  new AppError('rate-limited', 'too_many_requests', 'The service is busy. Please try again in a moment.')
