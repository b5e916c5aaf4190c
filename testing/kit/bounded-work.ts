/**
 * Lists all work of the services that may write very many rows, with the test that runs it on more rows than one
 * command may write. `testing/system/bounded-work.test.ts` compares the list with the sources;
 * `bounded-routes.full.test.ts` runs the routes with a body.
 */
export const boundedWork = {
  auth: { handlers: [], jobs: [], sweeps: ['pruning', 'purging', 'writing mails', 'carrying out resets'] },
  messaging: {
    handlers: [
      'auth.user-registered.v1',
      'auth.user-updated.v1',
      'auth.user-purge-requested.v1',
      'billing.subscription-activated.v1',
      'billing.subscription-ended.v1',
    ],
    jobs: ['purge', 'clear', 'empty'],
    sweeps: [
      'publishing expiries of premium',
      'noting what both members deleted',
      'pruning reports',
      'removing media without readers',
      'erasing vanished messages',
    ],
  },
  billing: {
    handlers: ['auth.user-purge-requested.v1'],
    jobs: ['purge'],
    // Every service with an outbox has the last two sweeps, so only billing's are tested.
    sweeps: ['finishing payments and gifts', 'publishing the outbox', 'pruning the outbox'],
  },
  notify: {
    handlers: ['auth.notice-requested.v1', 'auth.user-purge-requested.v1'],
    jobs: [],
    sweeps: ['delivering notices', 'pruning deliveries'],
  },
} as const

export type WalkedService = keyof typeof boundedWork
export type WorkOf<Service extends WalkedService> = (typeof boundedWork)[Service][
  'handlers' | 'jobs' | 'sweeps'][number]

/** These sweeps write at most the rows of one answer of billing or auth. */
export const withoutManyRows = [
  'reading changes of premium',
  'reading changes of people',
  'ending reads of hidden media',
  'following session changes',
  'watching the lag of a consumer',
  // This sweep runs the jobs that `boundedWork` lists.
  'jobs',
] as const

/**
 * Realtime handles these events and has no database. `services/realtime/src/consumers/handlers.test.ts` runs its
 * handlers.
 */
export const handledByRealtime = [
  'messaging.message-sent.v1',
  'messaging.conversation-started.v1',
  'messaging.conversation-deleted.v1',
  'messaging.conversation-state-changed.v1',
  'messaging.message-changed.v1',
  'messaging.limits-changed.v1',
] as const
