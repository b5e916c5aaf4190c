import type { Notice } from '@sumlock/contracts/auth-events'

export interface Letter {
  to: string
  subject: string
  text: string
}

/** The text of a notice. Like everything outside the lock, it must look like a calculator's. */
export function toLetter(notice: Notice): Letter {
  switch (notice.template) {
    case 'phone-code':
      return {
        to: `${notice.to}@sms.local`,
        subject: 'Calculator',
        text: `${notice.code} is your Calculator code. It is valid for 10 minutes.`,
      }
    case 'welcome':
      return {
        to: notice.to,
        subject: 'Welcome to Calculator',
        text: `Hello ${notice.fullName},\n\nyour account is ready.\n`,
      }
  }
}
