import type { ServiceName } from '@sumlock/deployment/service-environment'
import { runMain } from '@sumlock/service-kit/serve'
import { start as auth } from '../../services/auth/src/start.ts'
import { start as billing } from '../../services/billing/src/start.ts'
import { start as gateway } from '../../services/gateway/src/start.ts'
import { start as messaging } from '../../services/messaging/src/start.ts'
import { start as notify } from '../../services/notify/src/start.ts'
import { start as realtime } from '../../services/realtime/src/start.ts'
import { instancesName, readInstances } from '../config.ts'

// `npm start -- --one-process` runs all services in this process, each with its own environment, ports and
// connections.
const starts = { gateway, auth, messaging, billing, notify, realtime }

runMain(async () => {
  const instances = readInstances() as { service: ServiceName; environment: Record<string, string> }[]
  if (instances.length === 0)
    throw new Error(
      `${instancesName} names no service. Please start this program by: npm start -- --one-process`,
    )
  const running = await Promise.all(
    instances.map(async ({ service, environment }) => ({
      service,
      stop: await starts[service](environment),
    })),
  )
  return async (signal) => {
    const gateways = running.filter(({ service }) => service === 'gateway')
    // The gateway stops first, so that no new request arrives while the other services finish theirs.
    await Promise.allSettled(gateways.map(({ stop }) => stop(signal)))
    await Promise.allSettled(running.map(({ stop }) => stop(signal)))
    // `stop` returns the same promise a second time, so this rejects when a service could not stop cleanly.
    await Promise.all(running.map(({ stop }) => stop(signal)))
  }
})
