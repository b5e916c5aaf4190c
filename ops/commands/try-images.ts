import { parseArgs } from 'node:util'
import { failWith, progress } from '@sumlock/dev/product/terminal'
import { prepareDocker, startOwnDocker } from '../cluster/machine/own-docker.ts'
import type { DockerSetup } from '../cluster/machine/own-docker.ts'
import { runSandboxed } from '../cluster/machine/run-sandboxed.ts'
import { isOwnPossible } from '../cluster/machine/sandbox.ts'
import { dockerProblem } from '../images/checks/docker-problem.ts'
import { tryImages } from '../images/checks/try-images.ts'

// `npm run try:images` builds every image and tries docker-compose.yml with a message, a backup and its restore, and its
// profiles. Without a Docker engine on this machine, Linux and root get one of their own for the time of the run.
const { values } = parseArgs({
  options: {
    /** For the command itself, which starts again inside a sandbox: what was prepared, as JSON. */
    inside: { type: 'string' },
  },
})

async function tryInOwnDocker(): Promise<void> {
  await runSandboxed({
    command: import.meta.filename,
    args: [],
    prepare: (folder, _programs, ending) => prepareDocker(folder, progress, ending),
    progress,
  })
}

try {
  if (values.inside !== undefined) {
    await tryImages(progress, await startOwnDocker(JSON.parse(values.inside) as DockerSetup, progress))
  } else {
    const problem = await dockerProblem()
    if (problem === undefined) await tryImages(progress)
    else if (isOwnPossible()) await tryInOwnDocker()
    else throw new Error(`The images were not tried: ${problem}`)
    process.stdout.write('All images were built. A message went through them, was backed up and restored.\n')
  }
} catch (error) {
  failWith(error)
}
process.exit()
