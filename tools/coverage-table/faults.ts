import { idsIn } from './claims.ts'
import type { Claim } from './claims.ts'
import type { Fact } from './facts.ts'
import type { Run } from './runs.ts'

/** The faults in the facts, their deviations and the ids in tests. One sentence each. */
export function faultsInSources(
  facts: readonly Fact[],
  deviations: readonly string[],
  claims: readonly Claim[],
): string[] {
  const known = new Set(facts.map((fact) => fact.id))
  return [
    ...repeated(facts.map((fact) => fact.id)).map((id) => `${id} stands twice among the facts.`),
    ...repeated(deviations).map((id) => `${id} stands twice among the deviations.`),
    ...facts
      .filter(({ deviation }) => deviation !== null && !deviations.includes(deviation))
      .map(({ id, deviation }) => `${id} refers to ${deviation}, which docs/deviations.md does not have.`),
    ...claims
      .filter(({ id }) => !known.has(id))
      .map(({ id, name, file }) => `${id}, in the name of "${name}" (${file}), is no fact.`),
  ]
}

/** The differences between the claims in the sources and the test reports. One sentence each. */
export function faultsInRuns(claims: readonly Claim[], runs: readonly Run[]): string[] {
  return [...claims.flatMap((claim) => unshown(claim, runs)), ...unclaimed(claims, runs)]
}

function unshown({ id, file, name, reported }: Claim, runs: readonly Run[]): string[] {
  const own = runs.filter((run) => run.file === file && reported.test(run.name))
  const claim = `${id} is claimed by "${name}" (${file})`
  if (own.some((run) => run.outcome === 'failed')) return [`${claim}, which failed.`]
  if (own.some((run) => run.outcome === 'passed')) return []
  return [
    own.length > 0 ? `${claim}, which was skipped.` : `${claim}, which no report shows: it was not run.`,
  ]
}

function unclaimed(claims: readonly Claim[], runs: readonly Run[]): string[] {
  const claimed = new Set(claims.map(({ file, id }) => `${file} ${id}`))
  const stray = runs.flatMap(({ file, name }) =>
    idsIn(name)
      .filter((id) => !claimed.has(`${file} ${id}`))
      .map(
        (id) =>
          `A report has ${id} in "${name}" (${file}), the source does not: write the id out in the test's title, or run the tests again if the report is old.`,
      ),
  )
  return [...new Set(stray)]
}

const repeated = (ids: readonly string[]): string[] => [
  ...new Set(ids.filter((id, index) => ids.indexOf(id) !== index)),
]
