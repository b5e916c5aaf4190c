import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { delimiter, dirname } from 'node:path'
import { inheritedEnvironment } from '@sumlock/dev/config'
import type { Kubernetes } from '../kubernetes.ts'

export interface RunBlockOptions {
  kubernetes: Kubernetes
  /** The commands run in this copy of the repository. */
  folder: string
  signal?: AbortSignal
  /**
   * `paste` runs each line whatever became of the line before, as a terminal does; by default the first failed line ends
   * the block.
   */
  mode?: 'strict' | 'paste'
}

/** The pages wait for hours, as a large database needs them; the try's is small. */
const longestMs = 900_000

/** Runs a block of a page with bash and returns its output. Rejects with the output when it fails. */
export async function runBlock(
  block: string,
  { kubernetes, folder, signal, mode = 'strict' }: RunBlockOptions,
): Promise<string> {
  const { kubectlPath, kubeconfig } = kubernetes
  const path = [dirname(kubectlPath), dirname(process.execPath), inheritedEnvironment['PATH']]
  const env = { ...inheritedEnvironment, KUBECONFIG: kubeconfig, PATH: path.join(delimiter) }
  const script = mode === 'strict' ? `set -euo pipefail\n${block}\n` : `${block}\n`
  // A group of its own lets an abort end the commands that bash has started, too.
  const bash = spawn('bash', ['-c', script], { cwd: folder, env, detached: true })
  let output = ''
  for (const stream of [bash.stdout, bash.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  bash.stdin.end()
  const end = () => {
    if (bash.pid !== undefined && bash.exitCode === null) process.kill(-bash.pid, 'SIGTERM')
  }
  const stopped = AbortSignal.any([AbortSignal.timeout(longestMs), ...(signal ? [signal] : [])])
  stopped.addEventListener('abort', end)
  process.once('exit', end)
  try {
    const [code] = (await once(bash, 'close')) as [number | null]
    stopped.throwIfAborted()
    if (code !== 0) throw new Error(`The page's lines ended with ${code}:\n${output.slice(-3000)}`)
    return output
  } finally {
    stopped.removeEventListener('abort', end)
    process.off('exit', end)
  }
}
