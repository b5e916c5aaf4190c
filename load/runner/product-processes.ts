import { serviceNames } from '@sumlock/deployment/service-environment'
import type { PartRecord } from '@sumlock/dev/processes/run-record'
import type { WatchedProcess } from './usage.ts'

/**
 * Lists the processes of a running product. Services that share a process (`npm start -- --one-process`) are one entry.
 */
export const productProcesses = (parts: readonly Pick<PartRecord, 'name' | 'pid'>[]): WatchedProcess[] =>
  [...Map.groupBy(parts, ({ pid }) => pid)].map(([pid, inside]) => {
    const first = inside[0]?.name ?? ''
    return {
      pid,
      name: inside.length === 1 ? first : `${inside.length} services in one process`,
      isService: serviceNames.some((service) => first.startsWith(`${service}-`)),
    }
  })
