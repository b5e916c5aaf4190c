import type { PortPlan } from '@sumlock/deployment/service-environment'
import type { EnginePorts } from '../engines/engines.ts'

export const usualPort = 4000

// Browsers block these ports (fetch standard, "bad port"). The lower ports that they block cannot occur here.
const refusedByBrowsers = [
  4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]

/** `npm start` and `npm run dev` use these ports. Tests choose free ones, so that both can run side by side. */
export type LocalPorts = ReturnType<typeof localPorts>

/**
 * Returns the ports of a product whose gateway listens on `first`. All others have a fixed distance from it. Throws
 * when a port is reserved or blocked by browsers.
 */
export function localPorts(first: number) {
  const service = (distance: number) => [{ public: first + distance, internal: first + distance + 10 }]
  const services: PortPlan = {
    gateway: service(0),
    auth: service(11),
    messaging: service(12),
    billing: service(13),
    notify: service(14),
    realtime: service(15),
  }
  const engines: EnginePorts = {
    mongo: first + 40,
    kafka: first + 41,
    kafkaController: first + 42,
    redis: first + 43,
    smtp: first + 44,
    s3: first + 45,
    inbox: first + 80,
  }
  const vite = first + 1
  const opened = [first, vite, engines.inbox]
  if (first < 1024 || engines.inbox > 65_535 || opened.some((port) => refusedByBrowsers.includes(port)))
    throw new Error(
      `--port ${first} cannot be used: it, or a port derived from it, is reserved or blocked by browsers. Try ${usualPort + 100}.`,
    )
  const ofServices = Object.values(services).flatMap((pairs) =>
    pairs.flatMap((pair) => [pair.public, pair.internal]),
  )
  return { engines, services, vite, all: [...Object.values(engines), ...ofServices, vite] }
}
