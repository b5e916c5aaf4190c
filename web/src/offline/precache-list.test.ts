import { precacheList } from './precache-list.ts'

const chunk = (fileName: string, imports: string[], css: string[] = []) => ({
  fileName,
  isEntry: false,
  imports,
  css,
})

it('the precache list has the page, the entry with its static imports, their styles and the public files, but no lazy chunk', () => {
  const chunks = [
    { ...chunk('assets/a.js', ['assets/c-1.js'], ['assets/r.css']), isEntry: true },
    chunk('assets/c-1.js', ['assets/c-2.js']),
    chunk('assets/c-2.js', ['assets/c-1.js']),
    chunk('assets/c-inner.js', ['assets/c-2.js'], ['assets/r-inner.css']),
  ]
  expect(precacheList(chunks, ['icon.svg'])).toEqual([
    '/',
    '/assets/a.js',
    '/assets/c-1.js',
    '/assets/c-2.js',
    '/assets/r.css',
    '/icon.svg',
  ])
})
