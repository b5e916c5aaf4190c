import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const src = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(src, file), 'utf8')
const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.tsx') && !file.includes('.test.'))
  .sort()

/** Matches code that renders a dialog or menu, whether of the browser, of a library or of this app. */
const overlay =
  /from '[^']*\/(?:Dialog|MediaDialog|ConfirmDialog|AccountPasswordDialog)\.tsx'|<dialog\b|role="(?:menu|dialog)"|popover=|radix-ui\/react-(?:context-menu|dropdown-menu|popover|dialog)/
const rendersOverlay = (file: string) =>
  overlay.test(read(file)) && /<\w*[Dd]ialog\b|menu|popover/i.test(read(file))
const listed = [
  ...readFileSync(join(src, '../e2e/flee-places.ts'), 'utf8').matchAll(/source: '([^']+)'/g),
].map(([, source]) => source as string)

it('the walk of flights lists every route once', () => {
  const routes = files
    .filter((file) => file.startsWith('app/'))
    .flatMap((file) => [...read(file).matchAll(/path="([^"]+)"/g)].map(([, path]) => path as string))
  expect(listed.filter((source) => !source.endsWith('.tsx')).sort()).toEqual([...new Set(routes)].sort())
})

it('the walk of flights lists every file that renders a dialog, a viewer, a sheet, a menu, or the box of an edit or a search', () => {
  const boxes = ['features/chat/EditComposer.tsx', 'features/chat/search/SearchBar.tsx']
  const isPlace = (file: string) => rendersOverlay(file) || boxes.includes(file)
  expect(listed.filter((source) => source.endsWith('.tsx')).sort()).toEqual(files.filter(isPlace))
})
