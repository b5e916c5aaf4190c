import { parseArgs } from 'node:util'
import { dockerSilence } from '../images/checks/docker-silence.ts'
import { buildImages } from '../images/checks/build-images.ts'
import { makeLocalBases } from '../images/checks/local-bases.ts'
import { tryImages } from '../images/checks/try-images.ts'

// npm run try:images [-- --local-bases] [--keep]
// Builds every image, runs them against native engines, sends a message through nginx, saves, loses and restores it,
// and takes everything away again.
// --local-bases: on base images made of Debian's packages and the Node that npm brought, where none can be pulled.
const { values } = parseArgs({
  options: { 'local-bases': { type: 'boolean', default: false }, keep: { type: 'boolean', default: false } },
})
const progress = (line: string) => void process.stderr.write(`  ${line}\n`)
const silence = await dockerSilence()
if (silence !== undefined) {
  process.stderr.write(`The images were not tried: ${silence}\n`)
  process.exit(1)
}
try {
  const bases = values['local-bases'] ? await makeLocalBases(progress) : undefined
  const images = await buildImages({ bases, progress })
  await tryImages(images, progress)
  if (!values.keep) await images.remove()
  process.stdout.write(
    `${images.names.length} images were built. A message went through them, was saved, lost and restored.\n`,
  )
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
  process.exitCode = 1
}
