import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const fileOf = (name: string) => JSON.stringify(fileURLToPath(new URL(name, import.meta.url)))

/** Runs a service whose start fails later, and resolves with what it printed and its exit code. */
async function run(stop: string) {
  const script = `
    import { runMain } from ${fileOf('serve.ts')}
    import { stopAfterFailure } from ${fileOf('stop-after-failure.ts')}
    runMain(async () => {
      const open = setInterval(() => undefined, 1000)
      setImmediate(() => stopAfterFailure(50))
      return async (signal) => {
        ${stop}
        clearInterval(open)
      }
    })`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', script])
  let printed = ''
  child.stdout.on('data', (bytes: Buffer) => (printed += bytes.toString()))
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  return { printed, code, signal }
}

it('a failed service is stopped in order, and its process ends with code 1', async () => {
  const outcome = await run(`process.stdout.write('stopped by ' + signal)`)
  expect(outcome).toEqual({ printed: 'stopped by SIGTERM', code: 1, signal: null })
})
