import { openBus } from '@sumlock/bus/service-bus'
import { backlogCountedTo, measureBacklog } from '@sumlock/service-kit/backlog-metrics'
import { createSessionGuard } from '@sumlock/service-kit/caller'
import { openDatabase } from '@sumlock/service-kit/open-database'
import { createPurges } from '@sumlock/service-kit/purges'
import { createServiceBase, internalClient } from '@sumlock/service-kit/service-base'
import { createUnconfirmedRecords } from '@sumlock/service-kit/unconfirmed-records'
import { needsTls } from './config.ts'
import type { Config } from './config.ts'
import { createMailSender } from './infrastructure/mail-sender.ts'
import { createSmsSender } from './infrastructure/sms-sender.ts'
import { migrations } from './migrations.ts'
import { createDeliveryStore } from './stores/delivery-store.ts'
import { createPreferenceStore } from './stores/preference-store.ts'

export type Context = Awaited<ReturnType<typeof createContext>>

/** Creates the parts of notify and connects them; resolves once all migrations are applied. */
export async function createContext(config: Config) {
  const base = createServiceBase(config, 'notify')
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
  return {
    ...base,
    connection,
    bus,
    guard: createSessionGuard(config.TOKEN_PUBLIC_KEYS, clock, 'notify'),
    deliveries,
    preferences: createPreferenceStore(connection),
    purges: createPurges({
      auth: internalClient(base, config.AUTH_INTERNAL_URL),
      unconfirmed: createUnconfirmedRecords(metrics.registry),
      logger: base.logger,
    }),
    sendMail,
    sendSms: createSmsSender(config, sendMail),
  }
}
