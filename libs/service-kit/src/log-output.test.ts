import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { createLogOutput } from './log-output.ts'

describe('the output of log lines', () => {
  it('drops lines that cannot be written, ends a partial line, and reports how many are missing', () => {
    let room = 6
    let text = ''
    const output = createLogOutput((bytes, from) => {
      if (room === 0) throw new Error('no space left')
      const taken = bytes.subarray(from, from + room)
      room -= taken.length
      text += taken.toString()
      return taken.length
    })
    for (const line of ['one\n', 'two\n', 'three\n']) output.write(line)
    expect(text).toBe('one\ntw')
    room = 1000
    output.write('four\n')
    output.write('five\n')
    const [one, broken, report, ...rest] = text.split('\n')
    expect([one, broken, ...rest]).toEqual(['one', 'tw', 'four', 'five', ''])
    expect(JSON.parse(report as string)).toMatchObject({ msg: 'log lines were lost', lost: 2 })
  })

  it('adds no empty line after a line of which nothing was written', () => {
    let isFull = true
    let text = ''
    const output = createLogOutput((bytes) => {
      if (isFull) throw new Error('no space left')
      text += bytes.toString()
      return bytes.length
    })
    output.write('one\n')
    isFull = false
    output.write('two\n')
    expect(text).toMatch(/^\{.*"lost":1.*\}\ntwo\n$/)
  })

  it('does not stop a service whose disk is full', () => {
    const script = `
      import { createLogger } from '@sumlock/service-kit/logger'
      const logger = createLogger({ service: 'any', instance: 'one', level: 'info' })
      for (let line = 0; line < 3; line += 1) logger.info('hello')
      process.stderr.write('still here')`
    const full = openSync('/dev/full', 'w')
    const { stderr, status, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: import.meta.dirname,
      stdio: ['ignore', full, 'pipe'],
      timeout: 10_000,
    })
    closeSync(full)
    expect(String(stderr)).toBe('still here')
    expect(status).toBe(0)
    expect(signal).toBeNull()
  })
})
