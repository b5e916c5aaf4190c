import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lastLines, rotate, sizeOf } from './child.ts'

describe('the end of a log', () => {
  let folder: string
  let log: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'child-log-'))
    log = join(folder, 'x.log')
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('is its last lines from a byte on, without blank ones, and with long ones cut', async () => {
    await writeFile(log, `old\n\nnew\n${'x'.repeat(500)}\n`)
    expect(lastLines(log, 2)).toEqual(['new', 'x'.repeat(400)])
    expect(lastLines(log, 9, 'old\n'.length)).toEqual(['new', 'x'.repeat(400)])
    expect(lastLines(join(folder, 'none.log'))).toEqual([])
  })

  it('is found in a large log, and rotate() renames only a large log', async () => {
    await writeFile(log, `${'x'.repeat(99)}\n`.repeat(210_000) + 'last\n')
    expect(lastLines(log, 1)).toEqual(['last'])
    rotate(log)
    expect(sizeOf(log)).toBe(0)
    expect(existsSync(`${log}.1`)).toBe(true)
    await writeFile(log, 'small\n')
    rotate(log)
    expect(sizeOf(log)).toBe(6)
  })
})
