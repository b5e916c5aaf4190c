/** We read only these fields of schemathesis's report. `operations` have names such as `POST /api/messages`. */
export interface FuzzReport {
  complete: boolean
  failures: readonly { title: string; count: number; operations: readonly string[] }[]
  errors: readonly { title: string; count: number }[]
}

/** The answers are counted by operation id and status. */
export type Answers = Readonly<Record<string, Readonly<Record<string, number>>>>

/**
 * Returns the faults of a run, one sentence each: failed checks, errors of the tool, and operations without a success.
 */
export function faultsOf(
  names: readonly string[],
  answers: Answers,
  { complete, failures, errors }: FuzzReport,
  exitCode: number,
): string[] {
  const hasSuccess = (name: string) =>
    Object.keys(answers[name] ?? {}).some((status) => status.startsWith('2'))
  const faults = [
    ...failures.map(({ title, count, operations }) => `${title} (${count}×): ${operations.join(', ')}`),
    ...errors.map(({ title, count }) => `Schemathesis: ${title} (${count}×)`),
    ...names.filter((name) => !hasSuccess(name)).map((name) => `${name}: no call succeeded`),
    ...(complete ? [] : ['Schemathesis did not finish']),
  ]
  if (exitCode !== 0 && faults.length === 0) faults.push(`Schemathesis ended with exit code ${exitCode}`)
  return faults
}
