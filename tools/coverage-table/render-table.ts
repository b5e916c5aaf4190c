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
/** Facts of its own have the section after the last. */
const beyond = 'Beyond the specification'

/**
 * The coverage page. Rendered from sources alone, so that every run gives the same text; the reports decide whether the
 * claims are true.
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
    const deviating = rows.filter(({ id, deviation }) => deviation !== null && !shownBy.has(id)).length
    return `| ${[title, rows.length, tested, deviating, rows.length - tested - deviating].join(' | ')} |`
  }
  return [
    `# Coverage of the specification

Made by \`npm run coverage:write\` from \`specification-facts.tsv\` and the names of the tests; not edited by hand. \`npm test\` fails when a test
named here was not run or did not pass. "D-…" is a [deviation](deviations.md): decided, and shown to be built only where a test stands beside it.

| Section | Facts | Shown by a test | Deviation only | Open |
|---|--:|--:|--:|--:|`,
    ...bySection.map(({ title, rows }) => count(title, rows)),
    count('**All**', facts),
    ...bySection.flatMap(({ title, rows }) => [
      `\n## ${title}\n\n| Id | Fact | Shown by |\n|---|---|---|`,
      ...rows.map((fact) => `| ${fact.id} | ${textOf(fact)} | ${shown(fact, shownBy.get(fact.id) ?? [])} |`),
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

function shown({ deviation }: Fact, claims: readonly Claim[]): string {
  const tests = new Set(claims.map(({ file, name }) => `\`${file}\`: ${cell(name)}`))
  return [...[...tests].sort(), deviation ?? []].flat().join('<br>') || 'open'
}
