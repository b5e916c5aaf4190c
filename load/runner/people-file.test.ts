import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { peopleFile, readPairs, writePairs } from './people-file.ts'
import type { LoadPerson } from './people-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'sumlock-people-'))
const file = join(folder, 'load', 'people.json')
afterAll(() => rmSync(folder, { recursive: true }))

const person = (username: string): LoadPerson => ({
  ...{ userId: 'u', username, password: 'p', pin: '1', cookie: 'sid=x', csrfToken: 't', conversationId: 'c' },
})

it('keeps people for their owner only, each gateway’s by itself', () => {
  expect(readPairs(file)).toEqual([])
  writePairs(file, [[person('ann'), person('bob')]])
  expect(readPairs(file)).toEqual([[person('ann'), person('bob')]])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(peopleFile('http://127.0.0.1:4000')).not.toBe(peopleFile('http://127.0.0.1:5000'))
})

it('says what to do with a file that is cut short', () => {
  writeFileSync(file, '{"pairs":[')
  expect(() => readPairs(file)).toThrow(`${file} cannot be read: delete it`)
})
