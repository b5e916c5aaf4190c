import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** Returns a line for each link of these Markdown files, whose paths are relative to `root`, that leads nowhere. */
export function brokenLinks(files: readonly string[], root: string): string[] {
  return files.flatMap((file) => {
    const text = withoutCode(readFileSync(join(root, file), 'utf8'))
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target)
    const local = targets.filter((target) => !/^[a-z]+:/.test(target))
    return local.flatMap((target) => {
      const problem = problemOf(target, join(root, file), root)
      return problem === undefined ? [] : [`${file}: ${target}: ${problem}`]
    })
  })
}

function problemOf(target: string, from: string, root: string): string | undefined {
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? from : join(dirname(from), decodeURIComponent(path))
  if (!existsSync(file)) return 'there is no such file'
  if (anchor === undefined || !file.endsWith('.md')) return undefined
  if (anchorsOf(readFileSync(file, 'utf8')).has(anchor)) return undefined
  return `${relative(root, file)} has no such heading`
}

/** Returns the anchors that GitHub gives the headings of a page. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of withoutFences(text).matchAll(/^#{1,6} +(.*)$/gm)) {
    const title = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').trim()
    const slug = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-')
    let anchor = slug
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`
    anchors.add(anchor)
  }
  return anchors
}

const withoutFences = (text: string): string => text.replace(/^ *(```|~~~)[\s\S]*?^ *\1/gm, '')
const withoutCode = (text: string): string => withoutFences(text).replace(/`[^`\n]*`/g, '')
