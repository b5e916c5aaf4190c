import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { compressFiles } from './compress-files.ts'

it('the build compresses its text files, but neither pictures nor files of less than a kilobyte', () => {
  const folder = mkdtempSync(join(tmpdir(), 'compressed-'))
  const script = 'calculate()\n'.repeat(200)
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'assets/a.js'), script)
  writeFileSync(join(folder, 'small.css'), 'a{}'.repeat(341))
  writeFileSync(join(folder, 'icon.png'), script)
  compressFiles(folder)
  const names = ['assets', 'assets/a.js', 'assets/a.js.br', 'assets/a.js.gz', 'icon.png', 'small.css']
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual(names)
  expect(brotliDecompressSync(readFileSync(join(folder, 'assets/a.js.br'))).toString()).toBe(script)
  expect(gunzipSync(readFileSync(join(folder, 'assets/a.js.gz'))).toString()).toBe(script)
  rmSync(folder, { recursive: true })
})
