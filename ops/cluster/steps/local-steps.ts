import { autoscalers } from './autoscalers.ts'
import { backup } from './backup.ts'
import { deploy } from './deploy.ts'
import { k6 } from './k6.ts'
import { newVersion } from './new-version.ts'
import { policies } from './policies.ts'
import { engineKills, kills, rolling } from './restarts.ts'
import type { TryStep } from './try-step.ts'

/** The steps of the overlay `local`, in the order in which each finds what it needs. */
export const localSteps: readonly TryStep[] = [
  deploy,
  rolling,
  kills,
  engineKills,
  policies,
  backup,
  newVersion,
  k6,
  autoscalers,
]
