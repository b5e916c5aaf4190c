import { run } from '@sumlock/dev/processes/run'

/** Returns why no Docker engine can be used and what to do, as one sentence; undefined when one answers. */
export async function dockerProblem(docker = 'docker'): Promise<string | undefined> {
  try {
    await run(docker, ['version', '--format', '{{.Server.Version}}'])
    return undefined
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    if (text.includes('is not installed'))
      return 'Docker is not installed; on Debian or Ubuntu: sudo apt-get install docker.io'
    if (/permission denied/i.test(text))
      return 'this user may not use the Docker engine; add it to the group docker, or use sudo.'
    return 'no Docker engine answers; start it (sudo systemctl start docker) and look at `docker version`.'
  }
}
