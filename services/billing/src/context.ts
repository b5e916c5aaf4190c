import { createEventInbox } from '@sumlock/bus/inbox'
import { openBus, openOutbox } from '@sumlock/bus/service-bus'
import { findPerson } from '@sumlock/contracts/internal-routes'
import { createSessionGuard } from '@sumlock/service-kit/caller'
import { createServiceBase, internalClient, openDatabase } from '@sumlock/service-kit/service-base'
import type { Config } from './config.ts'
import { migrations } from './migrations.ts'
import { createLedgerStore } from './stores/ledger-store.ts'

export type Context = Awaited<ReturnType<typeof createContext>>

/** Wires billing by hand. Resolves once all migrations are applied. */
export async function createContext(config: Config) {
  const base = await createServiceBase(config, 'billing')
  const connection = await openDatabase(base, migrations)
  const bus = openBus(base)
  const auth = internalClient(base, config.AUTH_INTERNAL_URL)
  const inbox = createEventInbox({ connection, clock: base.clock, logger: base.logger })
  base.onClose(() => inbox.close())
  return {
    ...base,
    connection,
    bus,
    inbox,
    outbox: openOutbox(base, { bus, connection }),
    guard: createSessionGuard(config.TOKEN_PUBLIC_KEYS, base.clock),
    ledger: createLedgerStore(connection),
    findPerson: async (userId: string) =>
      (await auth.call(findPerson, { query: { userId, userCode: undefined } })).person,
  }
}
