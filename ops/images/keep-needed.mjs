// Copies what one service needs to run into an empty folder: itself, the libs it depends on, and the packages that were
// installed for it. Sources keep their paths, because Node strips types outside of node_modules only.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'

const [folder, target] = process.argv.slice(2)
const scope = 'node_modules/@sumlock'
const linked = new Map(
  readdirSync(scope).map((name) => [name, relative('.', realpathSync(join(scope, name)))]),
)

const needed = new Set()
function need(workspace) {
  if (needed.has(workspace)) return
  needed.add(workspace)
  const { dependencies = {} } = JSON.parse(readFileSync(join(workspace, 'package.json'), 'utf8'))
  for (const name of Object.keys(dependencies)) {
    if (!name.startsWith('@sumlock/')) continue
    const found = linked.get(name.slice('@sumlock/'.length))
    if (!found)
      throw new Error(`${workspace} needs ${name}, which npm did not link: is it among the workspaces?`)
    need(found)
  }
}
need(folder)

cpSync('node_modules', join(target, 'node_modules'), {
  recursive: true,
  verbatimSymlinks: true,
  filter: (path) => !/^node_modules\/(@sumlock|\.bin|\.package-lock\.json)(\/|$)/.test(path),
})
for (const workspace of needed) {
  cpSync(workspace, join(target, workspace), { recursive: true, verbatimSymlinks: true })
  rmSync(join(target, workspace, 'test'), { recursive: true, force: true })
}
mkdirSync(join(target, scope), { recursive: true })
for (const [name, workspace] of linked) {
  const link = join(target, scope, name)
  if (needed.has(workspace) && !existsSync(link))
    symlinkSync(relative(dirname(link), join(target, workspace)), link)
}
process.stdout.write(`kept: ${[...needed].sort().join(', ')}\n`)
