import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { repoRoot } from '@sumlock/dev/config'
import { goBinary } from '@sumlock/dev/engines/go-binary'
import { findOnPath, run } from '@sumlock/dev/processes/run'
import { failWith, progress } from '@sumlock/dev/product/terminal'

// npm run check:alerts [-- --if-changed]
// promtool checks the scrape configs with their rules, and tries the rules on made-up series.
// It is the machine's own promtool (3 or newer), or one that Go compiles once.
// --if-changed does nothing if checked.sha256 records that these files passed, and does not write to it.
const { values } = parseArgs({ options: { 'if-changed': { type: 'boolean', default: false } } })
const version = '3.13.5'
/** The module of Prometheus 3.13.5 has version 0.313.5: the major number is followed by the minor one in two digits. */
const moduleVersion = 'v0.313.5'
const folder = join(repoRoot, 'ops/observability')
const checkedFile = join(folder, 'checked.sha256')

function presentHash(): string {
  const hash = createHash('sha256')
  for (const file of globSync(['alerts*.yaml', 'prometheus/*.yaml'], { cwd: folder }).sort())
    hash.update(`${file}\n`).update(readFileSync(join(folder, file)))
  return hash.digest('hex')
}

async function check(): Promise<void> {
  const promtool =
    (await findOnPath('promtool', /^promtool, version [3-9]\./)) ??
    (await goBinary(
      {
        name: 'promtool',
        version,
        package: 'github.com/prometheus/prometheus/cmd/promtool',
        module: `github.com/prometheus/prometheus ${moduleVersion}`,
        // These tags leave out the service discovery of all clouds but Kubernetes, so that a third less has to be
        // compiled.
        tags: ['remove_all_sd', 'enable_kubernetes_sd'],
      },
      progress,
    ))
  const ask = async (...args: string[]) => progress((await run(promtool, args, { cwd: folder })).trim())
  for (const config of ['local', 'compose', 'kubernetes'])
    await ask('check', 'config', '--lint=all', '--lint-fatal', `prometheus/${config}.yaml`)
  await ask('test', 'rules', 'alerts.promtest.yaml')
}

try {
  if (values['if-changed'] && readFileSync(checkedFile, 'utf8').trim() === presentHash()) {
    progress('The alerts are unchanged since npm run check:alerts accepted them')
  } else {
    await check()
    if (!values['if-changed']) writeFileSync(checkedFile, `${presentHash()}\n`)
  }
} catch (error) {
  failWith(error)
}
