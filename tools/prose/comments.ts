import ts from 'typescript'

export interface Comment {
  /** The comment begins in this line, counted from 1. */
  line: number
  /** The comment takes this many lines. */
  lines: number
  /** The text has no comment signs, and its lines are joined by spaces. */
  text: string
}

/** Comments with such a beginning are for tools, as `// guard: name` and `// eslint-disable-next-line` are. */
const forTools = /^(?:guard:|eslint-|@ts-|prettier-ignore|node |npm |#)/

/** Returns the comments of a source file that are for readers. Consecutive lines of `//` are one comment. */
export function commentsIn(source: string, file: string): Comment[] {
  const ranges = rangesIn(source, file)
  const comments: (Comment & { end: number })[] = []
  for (const { pos, end, kind } of ranges) {
    const raw = source.slice(pos, end)
    const text = wordsOf(raw)
    if (text === '' || forTools.test(text)) continue
    const before = comments.at(-1)
    const follows = before && /^\n[ \t]*$/.test(source.slice(before.end, pos))
    if (follows && kind === ts.SyntaxKind.SingleLineCommentTrivia) {
      before.text += ` ${text}`
      before.lines += 1
      before.end = end
      continue
    }
    const line = source.slice(0, pos).split('\n').length
    comments.push({ line, lines: raw.split('\n').length, text, end })
  }
  return comments.map(({ line, lines, text }) => ({ line, lines, text }))
}

function rangesIn(source: string, file: string): ts.CommentRange[] {
  const kind = file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
  const parsed = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, kind)
  const found = new Map<number, ts.CommentRange>()
  const texts: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    if (node.kind === ts.SyntaxKind.JsxText) texts.push(node)
    const leading = ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []
    const trailing = ts.getTrailingCommentRanges(source, node.getEnd()) ?? []
    for (const range of [...leading, ...trailing]) found.set(range.pos, range)
    for (const child of node.getChildren(parsed)) visit(child)
  }
  visit(parsed)
  // The text of JSX may look like a comment.
  const isText = ({ pos }: ts.CommentRange) => texts.some((node) => pos >= node.pos && pos < node.end)
  return [...found.values()].filter((range) => !isText(range)).sort((left, right) => left.pos - right.pos)
}

const wordsOf = (raw: string): string =>
  raw
    .replace(/^\/\*\*?|\*\/$|^\/\//g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*\s?/, '').trim())
    .join(' ')
    .trim()
