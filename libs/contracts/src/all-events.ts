import * as auth from './auth-events.ts'
import * as billing from './billing-events.ts'
import type { EventContract } from './event.ts'
import { exportsOf } from './exports-of.ts'
import * as messaging from './messaging-events.ts'

const isEvent = (value: object): value is EventContract => 'topic' in value && 'key' in value

/** All events by name, for the event catalogue and for tests. */
export const allEvents = {
  ...exportsOf(auth, isEvent),
  ...exportsOf(messaging, isEvent),
  ...exportsOf(billing, isEvent),
}
