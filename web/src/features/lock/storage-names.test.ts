import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const src = join(import.meta.dirname, '../..')

it("the storage probe does not change the calculator's settings", async () => {
  localStorage.setItem('calc.p', JSON.stringify({ theme: 'dark', decimals: 2, keepsHistory: true }))
  const { preferences } = await import('../../../test/page.ts')
  expect(preferences.get()).toEqual({ theme: 'dark', decimals: 2, keepsHistory: true })
  expect(localStorage.getItem('calc.p')).not.toBeNull()
})

it('each storage name has one purpose', () => {
  const names = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\./.test(file))
    .flatMap((file) =>
      [...readFileSync(join(src, file), 'utf8').matchAll(/const \w+ = '(calc\.\w+)'/g)].map(
        ([, name]) => name,
      ),
    )
  expect(names.length).toBeGreaterThan(5)
  expect(names).toEqual([...new Set(names)])
})
