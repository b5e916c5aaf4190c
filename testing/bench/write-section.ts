import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { format, resolveConfig } from 'prettier'

const file = join(repoRoot, 'docs/benchmarks.md')
const chartDir = join(repoRoot, 'docs/benchmarks')
const preface = `# Benchmarks

Each section is written by the command it names and replaced by its next run. Read them as what they are: one run on one
machine that did everything at once, load generator included.
`

/** Replaces what stands between the markers of `name`, or appends it. */
export function replaceSection(document: string, name: string, content: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const section = `${open}\n\n${content.trim()}\n\n${close}`
  const [from, to] = [document.indexOf(open), document.indexOf(close)]
  if (from === -1 || to === -1) return `${document.trimEnd()}\n\n${section}\n`
  return document.slice(0, from) + section + document.slice(to + close.length)
}

/** Writes a section of docs/benchmarks.md, and its pictures beside it as docs/benchmarks/<name>.svg. */
export async function writeSection(
  name: string,
  content: string,
  charts: Readonly<Record<string, string>> = {},
): Promise<void> {
  await mkdir(chartDir, { recursive: true })
  for (const [chart, svg] of Object.entries(charts)) await writeFile(join(chartDir, `${chart}.svg`), svg)
  const document = await readFile(file, 'utf8').catch(() => preface)
  const options = await resolveConfig(file)
  await writeFile(file, await format(replaceSection(document, name, content), { ...options, filepath: file }))
}
