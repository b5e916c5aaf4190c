import { z } from 'zod'
import { limits } from './limits.ts'
import { conversation } from './messaging-routes.ts'
import { id, timestamp } from './primitives.ts'
import { defineRoute } from './route.ts'

const changes = z
  .object({
    now: timestamp.describe('The `since` of the next call.'),
    pollAfterMs: z
      .number()
      .int()
      .min(1)
      .describe('How long to wait until the next call, if the client has to poll.'),
    isWhole: z
      .boolean()
      .describe(
        'True when `conversations` is the first page of the list: without a `since`, after a long time or many changes, and when the limits of the caller or of another member may have changed.',
      ),
    conversations: z.array(conversation).describe('As the list shows them, latest first.'),
    removed: z.array(id).describe('Conversations that the caller has deleted.'),
  })
  .meta({ id: 'Changes', description: 'What has changed in the list of the caller.' })

export const listChanges = defineRoute({
  method: 'GET',
  path: '/api/changes',
  service: 'messaging',
  access: 'unlocked',
  summary: `The conversations that have changed since, at most ${limits.pageOfConversations}. A change may be in more than one answer.`,
  query: z.strictObject({
    since: timestamp.optional().describe('`now` of the last answer; absent in the first call.'),
  }),
  responses: { 200: changes },
  errors: [],
})

export type Changes = z.infer<typeof changes>
