import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChild } from '../processes/child.ts'
import type { Child } from '../processes/child.ts'
import { freePorts, isListening } from '../processes/ports.ts'
import { waitUntil } from '@sumlock/deployment/wait-until'

const listener = `require('node:net').createServer().listen(Number(process.argv[1]), '127.0.0.1')`

describe('a child process', () => {
  let folder: string
  let port: number
  let child: Child
  const unexpected: string[] = []

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'child-'))
    port = (await freePorts(1))[0] as number
    unexpected.length = 0
    child = createChild(spec(listener))
    child.onUnexpectedExit((reason) => unexpected.push(reason))
  })
  afterEach(async () => {
    await child.kill('SIGKILL')
    await rm(folder, { recursive: true })
  })
  const spec = (source: string) => ({
    name: 'listener',
    command: process.execPath,
    args: ['-e', source, String(port)],
    logDir: folder,
    port,
  })

  it('starts again after kill(), which is not reported as unexpected', async () => {
    await child.start()
    const first = child.pid
    await child.kill('SIGKILL')
    expect(child.running).toBe(false)
    await child.start()
    expect(child.pid).not.toBe(first)
    expect(await isListening(port)).toBe(true)
    expect(unexpected).toEqual([])
  })

  it('reports an unexpected exit after it was paused and continued', async () => {
    await child.start()
    await child.kill('SIGSTOP')
    await child.kill('SIGCONT')
    process.kill(child.pid as number, 'SIGKILL')
    await waitUntil('the end to be reported', () => unexpected.length > 0)
    expect(unexpected).toEqual([expect.stringContaining('was killed (SIGKILL')])
  })

  it('can be stopped while it is paused', async () => {
    await child.start()
    await child.kill('SIGSTOP')
    await child.stop()
    expect(child.running).toBe(false)
    expect(await isListening(port)).toBe(false)
    // The limit of 5 s is below the 15 s after which stop() sends SIGKILL.
  }, 5000)

  it('says why it exited while starting, with the end of its log', async () => {
    const broken = createChild(spec(`console.error('no such table'); process.exit(3)`))
    await expect(broken.start()).rejects.toThrow(
      /listener failed \(exit code 3\) while starting\nno such table/,
    )
  })

  it('ends with its parent even when the parent is killed', async () => {
    const source = join(folder, 'parent.ts')
    const childModule = join(import.meta.dirname, '../processes/child.ts')
    await writeFile(
      source,
      `import { createChild } from ${JSON.stringify(childModule)}
       const child = createChild({ name: 'listener', command: process.execPath, args: ['-e', ${JSON.stringify(listener)}, '${port}'],
         logDir: ${JSON.stringify(folder)}, port: ${port}, ready: () => true })
       await child.start()`,
    )
    const parent = spawn(process.execPath, [source], { stdio: 'inherit' })
    await waitUntil('the child to listen', () => isListening(port))
    parent.kill('SIGKILL')
    await waitUntil('the child to be gone', async () => !(await isListening(port)))
  })
})
