import { serviceNames } from '@sumlock/stack/service-environment'
import type { ServiceName } from '@sumlock/stack/service-environment'

/** The same additional environment for all six. */
export const everyService = (
  env: Record<string, string>,
): Partial<Record<ServiceName, Record<string, string>>> =>
  Object.fromEntries(serviceNames.map((name) => [name, env]))
