import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commentsIn } from './prose/comments.ts'
import { markersIn } from './prose/markers.ts'
import type { Marker } from './prose/markers.ts'

// Counts the markers of comments that have to be read twice, for each folder, and warns above the aim.
//   npm run check -- prose       warns and never fails
//   node tools/prose.ts --list   also prints each comment with a marker

/** More markers than this per 100 comment lines cause a warning. */
const aim = 4
const root = join(import.meta.dirname, '..')
const isListed = process.argv.includes('--list')

interface Count {
  lines: number
  markers: number
}

const counts = new Map<string, Count>()
const kinds = new Map<Marker, number>()
const files = globSync('{libs,services,web/src,dev,testing,ops,load,tools}/**/*.{ts,tsx}', {
  cwd: root,
  exclude: ['**/node_modules', '**/dist', '**/*.{test,spec}.{ts,tsx}'],
})
for (const file of files.sort()) {
  const folder = /^(?:(?:libs|services)\/[^/]+|[^/]+)/.exec(file)?.[0] ?? file
  const count = counts.get(folder) ?? { lines: 0, markers: 0 }
  counts.set(folder, count)
  for (const comment of commentsIn(readFileSync(join(root, file), 'utf8'), file)) {
    count.lines += comment.lines
    for (const marker of markersIn(comment.text)) {
      count.markers += 1
      kinds.set(marker, (kinds.get(marker) ?? 0) + 1)
      if (isListed) process.stdout.write(`${file}:${comment.line} ${marker}: ${comment.text}\n`)
    }
  }
}

const perHundred = ({ lines, markers }: Count) => (lines === 0 ? 0 : (100 * markers) / lines)
const all = { lines: 0, markers: 0 }
for (const [folder, count] of counts) {
  all.lines += count.lines
  all.markers += count.markers
  process.stdout.write(`${folder}: ${perHundred(count).toFixed(1)} per 100 of ${count.lines} lines\n`)
}
for (const [kind, count] of kinds) process.stdout.write(`${kind}: ${count}\n`)
const isAbove = perHundred(all) > aim
process.stdout.write(
  `${isAbove ? 'Warning: ' : ''}${perHundred(all).toFixed(1)} markers per 100 comment lines; the aim is ${aim}.\n`,
)
