import type { EnginePorts } from '@sumlock/stack/engines'
import type { PortPlan } from '@sumlock/stack/service-environment'

// Browsers refuse some ports (4045 among them): see the fetch standard's list before choosing one.
/** Every port of `npm start` and `npm run dev`. Tests use free ones, so both run side by side. */
export const enginePorts: EnginePorts = {
  mongo: 4040,
  kafka: 4041,
  kafkaController: 4042,
  redis: 4043,
  smtp: 4044,
  inbox: 4080,
}

const gatewayPort = 4000

/** Where a person opens the product of `npm start`. */
export const productUrl = `http://localhost:${gatewayPort}`

export const servicePorts: PortPlan = {
  gateway: [{ public: gatewayPort, internal: 4010 }],
  auth: [{ public: 4011, internal: 4021 }],
  messaging: [{ public: 4012, internal: 4022 }],
  billing: [{ public: 4013, internal: 4023 }],
  notify: [{ public: 4014, internal: 4024 }],
  realtime: [{ public: 4015, internal: 4025 }],
}

/** Vite's server of `npm run dev`. */
export const vitePort = 4001
