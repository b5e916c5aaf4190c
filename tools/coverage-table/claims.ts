import ts from 'typescript'

/** A test in the sources whose name, or that of a describe around it, carries the id of a fact. */
export interface Claim {
  readonly id: string
  readonly file: string
  /** As a reader sees it; `…` stands for what is only known at run time. */
  readonly name: string
  /** Matches the name under which a report lists the test. */
  readonly reported: RegExp
}

/** Looks like an id and is none. */
const terms = new Set(['UTF-8', 'UTF-16', 'SHA-1', 'SHA-256', 'SHA-512', 'AES-256', 'ISO-8601'])

export const idsIn = (name: string): string[] =>
  [...new Set(name.match(/\b[A-Z]{2,}-\d+\b/g))].filter((id) => !terms.has(id))

const unknown = '\u0000'
const escape = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const readable = (text: string) => text.replaceAll(unknown, '…')
// Jest and Playwright join the titles by a blank; the start stays open because a describe may come from a function.
const pattern = (text: string) => new RegExp(`(?:^| )${text.split(unknown).map(escape).join('.*')}$`, 's')

/** The claims of one test file, in the order of the file. Parses and never runs it. */
export function claimsIn(file: string, source: string): Claim[] {
  const claims: Claim[] = []
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const visit = (node: ts.Node, around: readonly string[]): void => {
    const call = ts.isCallExpression(node) ? titledCall(node) : undefined
    // A step is reported under its own title, wherever it stands.
    const titles = call?.kind === 'step' ? [call.title] : call ? [...around, call.title] : around
    if (call && call.kind !== 'describe') {
      const name = titles.join(' ')
      for (const id of idsIn(name)) claims.push({ id, file, name: readable(name), reported: pattern(name) })
    }
    ts.forEachChild(node, (child) => visit(child, titles))
  }
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, false, kind), [])
  return claims
}

interface TitledCall {
  kind: 'describe' | 'test' | 'step'
  title: string
}

/** `it('…')`, `test.only('…')`, `describe.each(rows)('…')`, `test.step('…')`; nothing else has a title. */
function titledCall(call: ts.CallExpression): TitledCall | undefined {
  const path = calleePath(call.expression)
  const title = call.arguments[0] && literalText(call.arguments[0])
  if (title === undefined || !['it', 'test', 'describe'].includes(path[0] ?? '')) return undefined
  const kind = path.includes('describe') ? 'describe' : path.includes('step') ? 'step' : 'test'
  return { kind, title: path.includes('each') ? title.replace(/%[a-zA-Z#$]|\$[\w.#]+/g, unknown) : title }
}

/** `test.describe.each(rows)` → test, describe, each. */
function calleePath(node: ts.Node): string[] {
  if (ts.isIdentifier(node)) return [node.text]
  if (ts.isPropertyAccessExpression(node)) return [...calleePath(node.expression), node.name.text]
  if (ts.isCallExpression(node) || ts.isTaggedTemplateExpression(node))
    return calleePath(ts.isCallExpression(node) ? node.expression : node.tag)
  return []
}

function literalText(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node))
    return node.head.text + node.templateSpans.map((span) => unknown + span.literal.text).join('')
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [literalText(node.left), literalText(node.right)]
    return left === undefined && right === undefined ? undefined : (left ?? unknown) + (right ?? unknown)
  }
  return undefined
}
