import { serviceNames } from './service-environment.ts'
import type { ServiceName } from './service-environment.ts'

/** The same additional environment for all six. */
export const everyService = (
  env: Record<string, string>,
): Partial<Record<ServiceName, Record<string, string>>> =>
  Object.fromEntries(serviceNames.map((name) => [name, env]))
