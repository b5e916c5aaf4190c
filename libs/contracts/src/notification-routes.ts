import { z } from 'zod'
import { defineRoute } from './route.ts'

const preferences = z.strictObject({
  signInMails: z.boolean().describe('Whether a sign-in is told by mail; on until it is turned off.'),
})
export type NotificationPreferences = z.output<typeof preferences>

export const getNotificationPreferences = defineRoute({
  method: 'GET',
  path: '/api/notification-preferences',
  service: 'notify',
  access: 'unlocked',
  summary: 'Which optional notices are mailed. Mails about a change of the account are always sent.',
  responses: { 200: preferences },
  errors: [],
})

export const setNotificationPreferences = defineRoute({
  method: 'PUT',
  path: '/api/notification-preferences',
  service: 'notify',
  access: 'unlocked',
  summary:
    'Replaces the preferences. Needs an unlocked session: a thief of the cookie could else sign in without a notice.',
  body: preferences,
  example: { body: { signInMails: true } },
  responses: { 200: preferences },
  errors: [],
})
