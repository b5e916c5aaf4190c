import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { identityOf, sendSignal } from './process-identity.ts'
import { waitUntil } from '@sumlock/deployment/wait-until'

const stateOf = (pid: number) => / \(.*\) (\w) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]

let child: ChildProcess
afterEach(() => child.kill('SIGKILL'))

describe('the identity of a process', () => {
  it('exists as long as any of its threads, even when the first thread has ended', async () => {
    const program = `
import ctypes, sys, threading
threading.Thread(target=sys.stdin.read).start()
ctypes.CDLL(None).pthread_exit(None)`
    child = spawn('python3', ['-c', program], { stdio: ['pipe', 'ignore', 'ignore'] })
    const pid = child.pid as number
    const before = identityOf(pid)
    expect(before).toMatch(/^[0-9a-f-]{36}:\d+$/)
    await waitUntil('the first thread to end', () => stateOf(pid) === 'Z')
    expect(identityOf(pid)).toBe(before)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(identityOf(pid)).toBeNull()
  })
  it('ends with the process, before its parent has reaped it', () => {
    child = spawn('sleep', ['60'])
    const pid = child.pid as number
    expect(identityOf(pid)).not.toBeNull()
    child.kill('SIGKILL')
    // Without a turn of the event loop, Node does not reap the child.
    const giveUpAt = Date.now() + 5000
    while (stateOf(pid) !== 'Z' && Date.now() < giveUpAt);
    expect(stateOf(pid)).toBe('Z')
    expect(identityOf(pid)).toBeNull()
  })
})

it('sendSignal signals a process, ignores one that has exited, and rejects an unknown signal', async () => {
  child = spawn('sleep', ['60'])
  const pid = child.pid as number
  expect(() => sendSignal(pid, 'SIGNONE' as NodeJS.Signals)).toThrow('SIGNONE')
  sendSignal(pid, 'SIGTERM')
  expect(await once(child, 'exit')).toEqual([null, 'SIGTERM'])
  expect(() => sendSignal(pid, 'SIGTERM')).not.toThrow()
})
