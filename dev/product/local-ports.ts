import type { EnginePorts } from '../engines/engines.ts'
import type { PortPlan } from '@sumlock/deployment/service-environment'

const enginePorts: EnginePorts = {
  mongo: 4040,
  kafka: 4041,
  kafkaController: 4042,
  redis: 4043,
  smtp: 4044,
  inbox: 4080,
}

const servicePorts = {
  gateway: { public: 4000, internal: 4010 },
  auth: { public: 4011, internal: 4021 },
  messaging: { public: 4012, internal: 4022 },
  billing: { public: 4013, internal: 4023 },
  notify: { public: 4014, internal: 4024 },
  realtime: { public: 4015, internal: 4025 },
}

const vitePort = 4001

export const usualPort = servicePorts.gateway.public

/** Where a person opens the product of `npm start`. */
export const productUrl = `http://localhost:${usualPort}`

// Browsers block these ports (fetch standard, "bad port"), and lower ones that are never used here.
const refusedByBrowsers = [
  4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]

/** Every port of `npm start` and `npm run dev`. Tests choose free ports, so both run side by side. */
export interface LocalPorts {
  engines: EnginePorts
  services: PortPlan
  vite: number
  all: number[]
}

/** The ports of a product whose gateway listens on `first`; the others keep their distance from it. */
export function localPorts(first: number): LocalPorts {
  const moved = (port: number) => port - usualPort + first
  const engines = mapValues(enginePorts, moved)
  const services = mapValues(servicePorts, (pair) => [mapValues(pair, moved)])
  const vite = moved(vitePort)
  const ofServices = Object.values(services).flatMap((pairs) =>
    pairs.flatMap((pair) => [pair.public, pair.internal]),
  )
  const opened = [first, vite, engines.inbox]
  if (first < 1024 || engines.inbox > 65_535 || opened.some((port) => refusedByBrowsers.includes(port))) {
    throw new Error(
      `--port ${first} cannot be used: it, or a port derived from it, is reserved or blocked by browsers. Try ${usualPort + 100}.`,
    )
  }
  return { engines, services, vite, all: [...Object.values(engines), ...ofServices, vite] }
}

const mapValues = <K extends string, A, B>(record: Record<K, A>, map: (value: A) => B): Record<K, B> =>
  Object.fromEntries(Object.entries<A>(record).map(([key, value]) => [key, map(value)])) as Record<K, B>
