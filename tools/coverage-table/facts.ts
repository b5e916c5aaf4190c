import { idsIn } from './claims.ts'
import type { Claim } from './claims.ts'

export interface Fact {
  readonly id: string
  /**
   * These sections of the specification state the fact, and the table lists it under the first of them. Section 10 is
   * for facts that the product adds.
   */
  readonly sections: readonly number[]
  readonly text: string
  readonly deviation: string | null
}

const header = 'id\tsections\tfact\tdeviation'
const row =
  /^(?<id>[A-Z]{2,}-\d{2,})\t(?<sections>(?:[1-9](?:,[1-9])*|10))\t(?<text>[^\t]+)(?:\t(?<deviation>D-\d{2,}))?$/

/** Reads the tab-separated facts. Throws an error that names the first faulty line. */
export function parseFacts(tsv: string): Fact[] {
  const [first, ...lines] = tsv.trimEnd().split('\n')
  if (first !== header)
    throw new Error(`The facts must begin with the line "${header.replaceAll('\t', ' ')}".`)
  return lines.map((line, index) => {
    const { id = '', sections = '', text = '', deviation = null } = row.exec(line)?.groups ?? {}
    if (id === '')
      throw new Error(`Line ${index + 2} of the facts is not "id, sections, fact[, deviation]": ${line}`)
    return { id, sections: sections.split(',').map(Number), text, deviation }
  })
}

/** Returns the ids in the first cells of the rows in docs/deviations.md, repeated ids included. */
export const parseDeviations = (markdown: string): string[] =>
  [...markdown.matchAll(/^\| (D-\d{2,}) \|/gm)].map((match) => match[1] ?? '')

/** Returns the faults in the facts, their deviations, and the ids in tests, one sentence each. */
export function faultsInSources(
  facts: readonly Fact[],
  deviations: readonly string[],
  claims: readonly Claim[],
): string[] {
  const ids = facts.map((fact) => fact.id)
  const claimable = new Set([...ids, ...deviations])
  return [
    ...repeated(ids).map((id) => `${id} stands twice among the facts.`),
    ...repeated(deviations).map((id) => `${id} stands twice among the deviations.`),
    ...facts
      .filter(({ deviation }) => deviation !== null && !deviations.includes(deviation))
      .map(({ id, deviation }) => `${id} refers to ${deviation}, which docs/deviations.md does not have.`),
    ...claims
      .filter(({ id }) => !claimable.has(id))
      .map(({ id, name, file }) => `${id}, in the name of "${name}" (${file}), is no fact and no deviation.`),
    ...claims
      .filter(({ file }) => runsElsewhere.test(file))
      .map(({ id, name, file }) => `${id} is claimed by "${name}" (${file}), which npm test does not run.`),
  ]
}

/**
 * These tests, of tools and of full sizes, run in `npm run test:full`, so a run of `npm test` cannot prove their
 * claims.
 */
const runsElsewhere = /^(?:dev|ops|tools|load|testing\/(?!system\/))|\.(?:full|long)\.test\./

const repeated = (ids: readonly string[]) => [
  ...new Set(ids.filter((id, index) => ids.indexOf(id) !== index)),
]

/** A run is the result of one test in a report. */
export interface Run {
  file: string
  name: string
  status: 'passed' | 'failed' | 'skipped'
}

/** Returns the differences between the claims in the sources and the test reports, one sentence each. */
export function faultsInRuns(claims: readonly Claim[], runs: readonly Run[]): string[] {
  const unshown = claims.flatMap(({ id, file, name, reported }) => {
    const own = runs.filter((run) => run.file === file && reported.test(run.name)).map(({ status }) => status)
    if (own.includes('passed') && !own.includes('failed')) return []
    const fault = own.includes('failed') ? 'failed' : own.length > 0 ? 'was skipped' : 'was not run'
    return [`${id} is claimed by "${name}" (${file}), which ${fault}.`]
  })
  const claimed = new Set(claims.map(({ file, id }) => `${file} ${id}`))
  const stray = runs.flatMap(({ file, name }) =>
    idsIn(name)
      .filter((id) => !claimed.has(`${file} ${id}`))
      .map(
        (id) =>
          `A report has ${id} in "${name}" (${file}), the source does not: write the id out in the test's title, or run the tests again if the report is old.`,
      ),
  )
  return [...unshown, ...new Set(stray)]
}
