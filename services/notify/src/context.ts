import { createEventInbox } from '@sumlock/bus/inbox'
import { openBus, openOutbox } from '@sumlock/bus/service-bus'
import { backlogCountedTo, measureBacklog } from '@sumlock/service-kit/backlog-metrics'
import { createSessionGuard } from '@sumlock/service-kit/caller'
import { openDatabase } from '@sumlock/service-kit/open-database'
import { createServiceBase } from '@sumlock/service-kit/service-base'
import { needsTls } from './config.ts'
import type { Config } from './config.ts'
import { createMailSender } from './infrastructure/mail-sender.ts'
import { createSmsSender } from './infrastructure/sms-sender.ts'
import { migrations } from './migrations.ts'
import { createDeliveryStore } from './stores/delivery-store.ts'
import { createPreferenceStore } from './stores/preference-store.ts'

export type Context = Awaited<ReturnType<typeof createContext>>

/** Wires notify by hand. Resolves once all migrations are applied. */
export async function createContext(config: Config) {
  const base = await createServiceBase(config, 'notify')
  const { clock, metrics } = base
  const connection = await openDatabase(base, migrations)
  const bus = openBus(base)
  const sendMail = createMailSender({
    url: config.SMTP_URL,
    from: config.MAIL_FROM,
    requireTLS: needsTls(config),
  })
  const deliveries = createDeliveryStore(connection)
  measureBacklog({
    registry: metrics.registry,
    name: 'notice_delivery',
    clock,
    readers: { notices: () => deliveries.backlog(backlogCountedTo) },
  })
  const inbox = createEventInbox({ connection, clock, logger: base.logger })
  base.onClose(() => inbox.close())
  return {
    ...base,
    connection,
    bus,
    inbox,
    outbox: openOutbox(base, { bus, connection }),
    guard: createSessionGuard(config.TOKEN_PUBLIC_KEYS, clock),
    deliveries,
    preferences: createPreferenceStore(connection),
    sendMail,
    sendSms: createSmsSender(config, sendMail),
  }
}
