import type { Notice } from '@sumlock/contracts/auth-events'
import { mailBody } from './mail-body.ts'
import type { Part } from './mail-body.ts'

export interface Letter {
  to: string
  subject: string
  text: string
  html?: string
}

type SmsNotice = Extract<Notice, { channel: 'sms' }>
type MailNotice = Exclude<Notice, SmsNotice>

// Mails and SMS can be read without unlocking the app, so they must look like a calculator's.
export const toSmsText = ({ code }: SmsNotice): string =>
  `${code} is your Calculator code. It is valid for 10 minutes.`

/** Returns the mail for a notice. Its reader can write to `support` about a change that somebody else has made. */
export function toLetter(notice: MailNotice, support: string): Letter {
  const { subject, parts } = contentOf(notice, support)
  const greeting = 'fullName' in notice && notice.fullName !== '' ? `Hello ${notice.fullName},` : 'Hello,'
  return { to: notice.to, subject, ...mailBody([greeting, ...parts]) }
}

/** Returns a text such as "29 Nov 2026, 14:20 UTC", because the reader's time zone is unknown. */
const inUtc = (moment: string) => {
  const text = new Date(moment).toLocaleString('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  })
  return `${text} UTC`
}

interface Content {
  subject: string
  parts: readonly Part[]
}

type Template = MailNotice['template']

const contents: { [T in Template]: (notice: MailNotice & { template: T }, support: string) => Content } = {
  'verify-email': (notice) => ({
    subject: 'Confirm your e-mail address',
    parts: [
      'Please confirm that this is your e-mail address for Calculator.',
      { label: 'Confirm e-mail address', link: notice.link },
      'The link works once, within 24 hours. If you did not create an account, you can ignore this e-mail.',
    ],
  }),
  'reset-password': (notice) => ({
    subject: 'Reset your password',
    parts: [
      'Someone asked to reset the password of your Calculator account.',
      { label: 'Choose a new password', link: notice.link },
      'The link works once, within 30 minutes. If it was not you, you can ignore this e-mail: your password stays as it is.',
    ],
  }),
  'signed-in': () => ({
    subject: 'New sign-in to your account',
    parts: [
      'Someone signed in to your Calculator account with your password.',
      'If it was you, you can ignore this e-mail. If not, choose "Forgot Password?" at the sign-in and set a new password.',
      'You can turn these e-mails off in the settings of your account.',
    ],
  }),
  gift: (notice) => ({
    subject: 'Someone has a present for you',
    parts: [
      'Someone has given you a year of Calculator without limits.',
      ...(notice.giftMessage === '' ? [] : [`They wrote: ${notice.giftMessage}`]),
      `Your code: ${notice.code}`,
      { label: 'Use the code', link: notice.link },
      'The code works once, within a year. Enter it in Settings, at "Redeem Upgrade Code".',
    ],
  }),
  'password-changed': () => ({
    subject: 'Your password was changed',
    parts: [
      'The password of your Calculator account was changed. Devices that had signed in with the old one were signed out.',
      'If it was not you, choose "Forgot Password?" at the sign-in at once and set a new password.',
    ],
  }),
  'change-email': (notice) => ({
    subject: 'Confirm your e-mail address',
    parts: [
      'Please confirm that this is the new e-mail address of your Calculator account.',
      { label: 'Confirm e-mail address', link: notice.link },
      'The link works once, within 24 hours. If you did not ask for it, you can ignore this e-mail.',
    ],
  }),
  'email-changed': (_notice, support) => ({
    subject: 'Your e-mail address was changed',
    parts: [
      'Your Calculator account has another e-mail address now. This one gets no more mails about it.',
      `If it was not you, write to ${support} at once.`,
    ],
  }),
  'email-claimed': () => ({
    subject: 'Someone tried to use your e-mail address',
    parts: [
      'Someone tried to use this e-mail address for another Calculator account. They could not: it belongs to yours.',
      'If it was you, sign in to your account; "Forgot Password?" at the sign-in helps. If not, you can ignore this e-mail.',
    ],
  }),
  'wrong-passwords': () => ({
    subject: 'Wrong passwords for your account',
    parts: [
      'Today a wrong password was entered twenty times for your Calculator account. None of them opened it.',
      'If it was not you, make sure that your password is long and used nowhere else. You can change it in the settings of your account, or with "Forgot Password?" at the sign-in.',
    ],
  }),
  'phone-changed': () => ({
    subject: 'Your phone number was changed',
    parts: [
      'Your Calculator account has another phone number now.',
      'If it was not you, change your account password in Settings at once.',
    ],
  }),
  'account-deletion': () => ({
    subject: 'Your account will be deleted',
    parts: [
      'Your Calculator account will be deleted in 14 days, and its devices were signed out.',
      'To keep it, sign in before then and choose "Keep my account". If it was not you, also change your account password.',
    ],
  }),
  'app-reset-waits': (notice) => ({
    subject: 'Your Calculator will be reset',
    parts: [
      `Someone signed in with your password and asked to reset your Calculator account. On ${inUtc(notice.dueAt)} everything in it will be cleared, and all devices will be signed out.`,
      'If it was you, there is nothing to do. To stop it, enter your number on any device before then. If it was not you, also choose "Forgot Password?" at the sign-in and set a new password: that stops it, too.',
    ],
  }),
  'app-reset': () => ({
    subject: 'Your Calculator was reset',
    parts: [
      'Your Calculator account was reset with its password. Everything in it was cleared, and your other devices were signed out.',
      'If it was not you, choose "Forgot Password?" at the sign-in at once and set a new password.',
    ],
  }),
}

const contentOf = (notice: MailNotice, support: string): Content =>
  (contents[notice.template] as (notice: MailNotice, support: string) => Content)(notice, support)
