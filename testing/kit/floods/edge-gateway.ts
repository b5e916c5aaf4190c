import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { serviceNames } from '@sumlock/deployment/service-environment'
import type { PortPlan } from '@sumlock/deployment/service-environment'
import { Client } from '@sumlock/deployment/api-client'
import { freePorts } from '@sumlock/dev/processes/ports'
import { startServices } from '@sumlock/dev/product/services'
import type { ServiceProcess, Stack } from '@sumlock/dev/product/services'
import { longTimeouts } from '../long-timeouts.ts'

/**
 * Starts a gateway with all rate limits in front of the services of a stack whose own gateway has none. It trusts no
 * proxy, because the clients connect to it directly.
 */
export async function startEdgeGateway(stack: Stack): Promise<ServiceProcess> {
  const [publicPort = 0, internalPort = 0] = await freePorts(2)
  const running = serviceNames.map((name) => [
    name,
    stack.services
      .filter(({ service }) => service === name)
      .map(({ environment }) => ({
        public: Number(environment['PORT']),
        internal: Number(environment['INTERNAL_PORT']),
      })),
  ])
  const { services } = await startServices({
    ...stack,
    mode: 'test',
    ports: {
      ...(Object.fromEntries(running) as PortPlan),
      gateway: [{ public: publicPort, internal: internalPort }],
    },
    replicas: { auth: 0, messaging: 0, billing: 0, notify: 0, realtime: 0 },
    env: longTimeouts({ gateway: { RATE_LIMITS: 'on', TRUSTED_HOPS: '0' } }),
    logDir: `${dirname(stack.service('gateway').logFile)}/edge`,
    logLevel: 'warn',
  })
  return services[0] as ServiceProcess
}

/** Returns a client with the same session at another gateway. */
export function clientAt(gatewayUrl: string, { cookies, keptToken }: Client): Client {
  const client = new Client({ gatewayUrl })
  for (const [name, value] of cookies) client.cookies.set(name, value)
  client.keptToken = keptToken
  return client
}

/** Returns the most resident memory that a process has had, in bytes. */
export function peakBytes(pid: number | undefined): number {
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}
