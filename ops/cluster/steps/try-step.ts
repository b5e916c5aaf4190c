import type { BuiltImage } from '../../images/image-component.ts'
import type { Progress } from '@sumlock/dev/processes/progress'
import type { Kubernetes } from '../kubernetes.ts'

/** The overlays create this namespace. */
export const namespace = 'sumlock'

/** The overlay `local` with the tags of the last `npm run images`. */
export const overlay = 'k8s/deploy/local'

export interface TryContext {
  kubernetes: Kubernetes
  progress: Progress
  /** The product's images that were built for this run. Without them, those of the last `npm run images` are deployed. */
  images?: readonly BuiltImage[]
  /** The same, but the gateway's was built again and differs. */
  rebuilt?: readonly BuiltImage[]
}

/** A step returns what it asserted, as `name: figure`, for people and for docs/long-runs.md. */
export type StepResult = Readonly<Record<string, number | string>>

export interface TryStep {
  name: string
  /** This sentence says what a green step proves. */
  proves: string
  /** The later steps need this one, so a failure ends the run. */
  isNeeded?: boolean
  run(context: TryContext): Promise<StepResult>
}

/** Replaces a part of a page's lines or of a manifest. Throws when it is gone, because the rest would then prove nothing. */
export function swap(text: string, from: string, by: string): string {
  if (text.includes(from)) return text.replaceAll(from, by)
  throw new Error(`"${from}" is not in these lines any more:\n${text}`)
}
