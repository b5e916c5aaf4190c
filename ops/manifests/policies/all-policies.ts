import { engines } from './engines.ts'
import { network } from './network.ts'
import { podSecurity } from './pod-security.ts'
import type { Policy } from './policy.ts'
import { running } from './running.ts'
import { settings } from './settings.ts'
import { volumes } from './volumes.ts'

export const policies: readonly Policy[] = [
  ...podSecurity,
  ...running,
  ...settings,
  ...volumes,
  ...network,
  ...engines,
]
