import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { findOnPath, run } from '@sumlock/dev/processes/run'
import { goBinary } from '../manifests/go-programs.ts'
import { failWith, progress } from '@sumlock/dev/product/terminal'

// npm run check:alerts: promtool checks the scrape configs with their rules, and tries the rules on made-up series.
// Uses the machine's own promtool (3 or newer), or one that Go compiles once.
const version = '3.13.5'
/** The same release as a Go module: before 1, and the minor number in the last two of three digits. */
const moduleVersion = 'v0.313.5'

try {
  const promtool =
    (await findOnPath('promtool', /^promtool, version [3-9]\./)) ??
    (await goBinary(
      {
        name: 'promtool',
        version,
        package: 'github.com/prometheus/prometheus/cmd/promtool',
        module: `github.com/prometheus/prometheus ${moduleVersion}`,
        // Leaves out the service discovery of all clouds but Kubernetes: a third less to compile.
        tags: ['remove_all_sd', 'enable_kubernetes_sd'],
      },
      progress,
    ))
  const folder = join(repoRoot, 'ops/observability')
  const ask = async (...args: string[]) => progress((await run(promtool, args, { cwd: folder })).trim())
  for (const config of ['local', 'compose', 'kubernetes'])
    await ask('check', 'config', '--lint=all', '--lint-fatal', `prometheus/${config}.yaml`)
  await ask('test', 'rules', 'alerts.promtest.yaml')
} catch (error) {
  failWith(error)
}
