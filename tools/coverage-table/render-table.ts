import type { Claim } from './claims.ts'
import type { Fact } from './facts.ts'

const sections = [
  'What the product does',
  'Screens',
  'Entities',
  'States',
  'Validation',
  'Permissions',
  'Calls',
  'Errors',
  'Constants and limits',
]
/** Facts that the product adds are listed after the last section of the specification. */
const beyond = 'Beyond the specification'

/**
 * Renders the coverage page from the sources alone, so that every run gives the same text. Only the test reports can
 * show whether the claims are true.
 */
export function renderTable(facts: readonly Fact[], claims: readonly Claim[]): string {
  const shownBy = Map.groupBy(claims, (claim) => claim.id)
  const titles = [...sections.map((title, index) => `§${index + 1} ${title}`), beyond]
  const bySection = titles.map((title, index) => ({
    title,
    rows: facts.filter((fact) => fact.sections[0] === index + 1),
  }))
  const count = (title: string, rows: readonly Fact[]) => {
    const tested = rows.filter(({ id }) => shownBy.has(id)).length
    const deviating = rows.filter(({ id, deviation }) => deviation !== null && !shownBy.has(id))
    const built = deviating.filter(({ deviation }) => shownBy.has(deviation ?? '')).length
    const cells = [title, rows.length, tested, built, deviating.length - built]
    return `| ${[...cells, rows.length - tested - deviating.length].join(' | ')} |`
  }
  return [
    `# Coverage of the specification

Made by \`npm run coverage:write\` from \`specification-facts.tsv\` and the names of the tests; not edited by hand. \`npm test\` fails when a test
named here was not run or did not pass. "D-…" is a [deviation](deviations.md); the tests after it show what we do instead.

| Section | Facts | Shown by a test | Deviation shown by a test | Deviation without a test | Open |
|---|--:|--:|--:|--:|--:|`,
    ...bySection.map(({ title, rows }) => count(title, rows)),
    count('**All**', facts),
    ...bySection.flatMap(({ title, rows }) => [
      `\n## ${title}\n\n| Id | Fact | Shown by |\n|---|---|---|`,
      ...rows.map((fact) => `| ${fact.id} | ${textOf(fact)} | ${shown(fact, shownBy)} |`),
    ]),
    '',
  ].join('\n')
}

const cell = (text: string) => text.replace(/[|\\<]/g, '\\$&').replaceAll('\n', ' ')

function textOf({ text, sections: [, ...others] }: Fact): string {
  return cell(
    others.length === 0 ? text : `${text} (also ${others.map((section) => `§${section}`).join(', ')})`,
  )
}

function shown({ id, deviation }: Fact, shownBy: ReadonlyMap<string, readonly Claim[]>): string {
  const tests = (claimed: string) => [
    ...new Set((shownBy.get(claimed) ?? []).map(({ file, name }) => `\`${file}\`: ${cell(name)}`)),
  ]
  const own = tests(id).sort()
  const lines = deviation === null ? own : [...own, deviation, ...tests(deviation).sort()]
  return lines.join('<br>') || 'open'
}
