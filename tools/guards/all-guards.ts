import { authGuards } from './auth-guards.ts'
import { deliveryGuards } from './delivery-guards.ts'
import { edgeGuards } from './edge-guards.ts'
import type { Guard } from './guard.ts'
import { messagingGuards } from './messaging-guards.ts'

/** Every guard of the invariants, in the order of the table. */
export const allGuards: readonly Guard[] = [
  ...messagingGuards,
  ...deliveryGuards,
  ...edgeGuards,
  ...authGuards,
]
