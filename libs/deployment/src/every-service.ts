import { serviceNames } from './service-environment.ts'
import type { ServiceName } from './service-environment.ts'

/** Returns additional environment variables that are the same for all six services. */
export const everyService = (
  env: Record<string, string>,
): Partial<Record<ServiceName, Record<string, string>>> =>
  Object.fromEntries(serviceNames.map((name) => [name, env]))
