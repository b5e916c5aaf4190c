import { step } from '@sumlock/dev/processes/progress'
import type { Progress } from '@sumlock/dev/processes/progress'
import { run } from '@sumlock/dev/processes/run'

/** Pulls the images that are not there. The first that cannot be had is returned as one sentence, with why. */
export async function missingImage(
  images: readonly string[],
  { docker = 'docker', progress }: { docker?: string; progress: Progress },
): Promise<string | undefined> {
  for (const image of images) {
    const isThere = await run(docker, ['image', 'inspect', image]).then(
      () => true,
      () => false,
    )
    if (isThere) continue
    try {
      await step(progress, `Pulling ${image}`, () => run(docker, ['pull', '-q', image]))
    } catch (error) {
      const lines = (error instanceof Error ? error.message : String(error)).trim().split('\n')
      const why = (lines.at(-1) ?? '').replace(/^Error response from daemon: /, '').replace(/\.$/, '')
      return `the image ${image} is not on this machine and could not be pulled (${why}).`
    }
  }
  return undefined
}
