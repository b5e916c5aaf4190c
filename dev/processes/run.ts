import { spawn } from 'node:child_process'
import { inheritedEnvironment } from '../config.ts'

/** Runs a program and returns its standard output; rejects with what it printed when it fails or is not installed. */
export function run(
  command: string,
  args: readonly string[],
  { cwd, env = {} }: { cwd?: string; env?: Record<string, string> } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...(cwd === undefined ? {} : { cwd }),
      env: { ...inheritedEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
    child.once('error', (error: NodeJS.ErrnoException) => {
      const isMissing = error.code === 'ENOENT'
      reject(isMissing ? new Error(`${command} is not installed: install it, or put it on PATH.`) : error)
    })
    child.once('close', (code) => {
      if (code === 0) resolve(out)
      else reject(new Error(`${command} ${args.join(' ')} ended with ${code}\n${(err || out).slice(-2000)}`))
    })
  })
}
