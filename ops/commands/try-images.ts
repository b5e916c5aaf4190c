import { failWith, progress } from '@sumlock/dev/product/terminal'
import { dockerProblem } from '../images/checks/docker-problem.ts'
import { tryImages } from '../images/checks/try-images.ts'

// `npm run try:images` builds every image and tries docker-compose.yml with a message, a backup and its restore.
try {
  const problem = await dockerProblem()
  if (problem !== undefined) throw new Error(`The images were not tried: ${problem}`)
  await tryImages(progress)
  process.stdout.write('All images were built. A message went through them, was backed up and restored.\n')
} catch (error) {
  failWith(error)
}
