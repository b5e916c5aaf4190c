import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Stack } from '@sumlock/dev/product/services'
import { startTestStack } from '@sumlock/testing/engines'
import { hashOfFile, hashOfLarge, premiumPairs, uploadLarge } from '@sumlock/testing/large-media'
import type { Pair } from '@sumlock/testing/large-media'

let stack: Stack
let pairs: Pair[]
beforeAll(async () => {
  stack = await startTestStack({ timeouts: 'default' })
  pairs = await premiumPairs(stack, 6)
})
afterAll(() => stack?.stop())

/** The most memory that a process has used, in MB. */
const peakMegabytes = (pid: number | undefined) =>
  Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

it('20 uploads of 50 MB at once arrive byte for byte, and messaging stays below 450 MB', async () => {
  const heads = Array.from({ length: 20 }, () => randomBytes(32))
  const of = (index: number) => (pairs[index % pairs.length] as Pair).from
  const uploaded = await Promise.all(heads.map((head, index) => uploadLarge(of(index), head)))
  expect(uploaded.map(({ status }) => status)).toEqual(heads.map(() => 200))
  for (const [index, { url }] of uploaded.entries())
    expect(await hashOfFile(of(index), url)).toBe(hashOfLarge(heads[index] as Buffer))
  expect(peakMegabytes(stack.service('messaging').pid)).toBeLessThan(450)
}, 240_000)
