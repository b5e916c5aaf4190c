import ts from 'typescript'

/** A test claims to prove a fact or a deviation if its title, or the title of its describe or step, contains the id. */
export interface Claim {
  readonly id: string
  readonly file: string
  /** The title as a reader sees it; `…` stands for a value that is only known at run time. */
  readonly name: string
  /** Matches the name under which a report lists the test. */
  readonly reported: RegExp
}

/** These terms look like ids but are not. */
const terms = new Set(['UTF-8', 'UTF-16', 'SHA-1', 'SHA-256', 'SHA-512', 'AES-256', 'ISO-8601'])

/** Returns the ids of facts ("CALC-01") and of deviations ("D-01") in the title of a test. */
export const idsIn = (name: string): string[] =>
  [...new Set(name.match(/\b(?:[A-Z]{2,}|D)-\d+\b/g))].filter((id) => !terms.has(id))

const unknown = '\u0000'
const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
// The pattern matches the end of a name, because Jest puts the titles of describes before it, and these may come from a
// function.
const pattern = (title: string) => new RegExp(`(?:^| )${title.split(unknown).map(escape).join('.*')}$`, 's')

/** Returns the claims of one test file, in the order of the file. The file is parsed and never run. */
export function claimsIn(file: string, source: string): Claim[] {
  const claims: Claim[] = []
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, false, kind)
  const claim = (name: string, reported: RegExp) => {
    for (const id of idsIn(name)) claims.push({ id, file, name: name.replaceAll(unknown, '…'), reported })
  }
  const visit = (node: ts.Node, describes: string, test: RegExp | undefined): void => {
    const { kind, title } = titledCall(node, parsed)
    if (kind === 'describe') describes += `${title} `
    // The claim of a step has only the title of the step, and it is proved if the test with the step passes.
    if (kind === 'step' && test) claim(title, test)
    if (kind === 'test') {
      test = pattern(title)
      claim(describes + title, test)
    }
    ts.forEachChild(node, (child) => visit(child, describes, test))
  }
  visit(parsed, '', undefined)
  return claims
}

interface TitledCall {
  kind?: 'describe' | 'test' | 'step'
  title: string
}

/**
 * Returns kind and title of a call such as `it('…')`, `test.only('…')`, `describe.each(rows)('…')` or `test.step('…')`.
 * Other calls have no title.
 */
function titledCall(node: ts.Node, source: ts.SourceFile): TitledCall {
  if (!ts.isCallExpression(node)) return { title: '' }
  const [callee] = /^(it|test|describe)\b[.\w]*/.exec(node.expression.getText(source)) ?? []
  const title = node.arguments[0] && literalText(node.arguments[0])
  if (callee === undefined || title === undefined) return { title: '' }
  const path = callee.split('.')
  const kind = path.includes('describe') ? 'describe' : path.includes('step') ? 'step' : 'test'
  return { kind, title: path.includes('each') ? title.replace(/%[a-zA-Z#$]|\$[\w.#]+/g, unknown) : title }
}

function literalText(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return undefined
  return node.head.text + node.templateSpans.map((span) => unknown + span.literal.text).join('')
}
