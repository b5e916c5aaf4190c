import type { TryContext, TryStep } from './try-step.ts'

export interface StepOutcome {
  name: string
  seconds: number
  failure?: string
}

/** Returns the steps that a person named, or all of them. Throws for a name that no step has. */
export function chosenSteps(steps: readonly TryStep[], only: readonly string[]): readonly TryStep[] {
  const unknown = only.filter((name) => !steps.some((step) => step.name === name))
  if (unknown.length === 0) return only.length === 0 ? steps : steps.filter(({ name }) => only.includes(name))
  throw new Error(
    `There is no step ${unknown.join(', ')}. The steps are ${steps.map(({ name }) => name).join(', ')}.`,
  )
}

/**
 * Runs the steps in order, and goes on after a failed one unless the later steps need it. Shows of each step its seconds
 * and what it asserted. Rejects at the end with the names of the failed steps.
 */
export async function runSteps(
  steps: readonly TryStep[],
  context: TryContext,
  { only = [] }: { only?: readonly string[] } = {},
): Promise<StepOutcome[]> {
  const outcomes: StepOutcome[] = []
  for (const step of chosenSteps(steps, only)) {
    const outcome = await runStep(step, context)
    outcomes.push(outcome)
    if (outcome.failure !== undefined && step.isNeeded) break
  }
  const failed = outcomes.filter(({ failure }) => failure !== undefined)
  if (failed.length === 0) return outcomes
  throw new Error(failed.map(({ name, failure }) => `The step ${name} failed: ${failure}`).join('\n'))
}

async function runStep(step: TryStep, context: TryContext): Promise<StepOutcome> {
  const { name, proves } = step
  const startedAt = performance.now()
  const seconds = () => Math.round((performance.now() - startedAt) / 100) / 10
  context.progress(`${name}: ${proves} …`)
  try {
    const result = await step.run(context)
    const figures = Object.entries(result).map(([title, figure]) => `    ${title}: ${figure}`)
    context.progress([`${name}: green in ${seconds()} s`, ...figures].join('\n'))
    return { name, seconds: seconds() }
  } catch (error) {
    const failure = error instanceof Error ? messagesOf(error) : String(error)
    context.progress(`${name}: RED after ${seconds()} s\n    ${failure}`)
    return { name, seconds: seconds(), failure }
  }
}

/** Returns the message of an error with those of its causes. */
const messagesOf = ({ message, cause }: Error): string =>
  cause instanceof Error ? `${message}\n    ${messagesOf(cause)}` : message
