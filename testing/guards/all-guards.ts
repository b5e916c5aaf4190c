import { authGuards } from './auth-guards.ts'
import { deliveryGuards } from './delivery-guards.ts'
import { edgeGuards } from './edge-guards.ts'
import type { Guard } from './guard.ts'
import { messagingGuards } from './messaging-guards.ts'
import { serviceGuards } from './service-guards.ts'
import { stopGuards } from './stop-guards.ts'
import { lineGuards } from './line-guards.ts'
import { doorGuards } from './door-guards.ts'
import { socketGuards } from './socket-guards.ts'
import { sendGuards } from './send-guards.ts'
import { busGuards } from './bus-guards.ts'
import { syncGuards } from './sync-guards.ts'
import { moneyGuards } from './money-guards.ts'
import { machineGuards } from './machine-guards.ts'

/** Every guard of the invariants, in the order of the table. */
export const allGuards: readonly Guard[] = [
  ...messagingGuards,
  ...sendGuards,
  ...deliveryGuards,
  ...busGuards,
  ...syncGuards,
  ...edgeGuards,
  ...doorGuards,
  ...lineGuards,
  ...socketGuards,
  ...serviceGuards,
  ...stopGuards,
  ...authGuards,
  ...moneyGuards,
  ...machineGuards,
]
