import { precacheList } from './precache-list.ts'

const chunk = (fileName: string, imports: string[], css: string[] = []) => ({
  fileName,
  isEntry: false,
  moduleIds: [] as string[],
  imports,
  css,
})

it('the precache list has the page, the entry with its static imports and styles and the public files, apart from them the app behind it, and no other lazy chunk', () => {
  const chunks = [
    { ...chunk('assets/a.js', ['assets/c-1.js'], ['assets/r.css']), isEntry: true },
    chunk('assets/c-1.js', ['assets/c-2.js']),
    chunk('assets/c-2.js', ['assets/c-1.js']),
    {
      ...chunk('assets/c-app.js', ['assets/c-3.js', 'assets/a.js']),
      moduleIds: ['/web/src/app/start-app.ts'],
    },
    chunk('assets/c-3.js', []),
    chunk('assets/c-inner.js', ['assets/c-2.js'], ['assets/r-inner.css']),
  ]
  expect(precacheList(chunks, ['icon.svg'])).toEqual({
    first: ['/', '/assets/a.js', '/assets/c-1.js', '/assets/c-2.js', '/assets/r.css', '/icon.svg'],
    more: ['/assets/c-3.js', '/assets/c-app.js'],
  })
})
