import { tellTales } from '../test/tell-tale.ts'

/** Maps the path of each file that a browser gets before an unlock to its text. */
export type Surface = Map<string, string>

const starts = ['/', '/manifest.webmanifest', '/sw.js', '/theme.js', '/early.js']
const references = /(?:\/|\.\/)?assets\/[\w.-]+\.(?:js|css)|(?<=["'`])\.\/[a-d]-[\w-]+\.js/g
/** See web/vite.config.ts for the prefixes of libraries and of the screens behind the lock. */
const isLibrary = (path: string) => path.startsWith('/assets/b-')
const isBehindLock = (path: string) => path.startsWith('/assets/d-')

/** Follows every reference from the first page. Libraries and the screens behind the lock are left out. */
export async function servedSurface(read: (path: string) => Promise<string | null>): Promise<Surface> {
  const surface: Surface = new Map()
  const queue = [...starts]
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (surface.has(path) || isLibrary(path) || isBehindLock(path)) continue
    const text = await read(path)
    if (text === null) continue
    surface.set(path, text)
    queue.push(...(text.match(references) ?? []).map(pathOf))
  }
  return surface
}

const pathOf = (reference: string) => `/assets/${reference.split('/').at(-1) as string}`

/** Returns the words that reveal the product, each with its file. */
export function leaksOf(surface: Surface): string[] {
  return [...surface].flatMap(([path, text]) => {
    const told = tellTales(text).map((word) => `${path}: ${word}`)
    const loaded = path.startsWith('/assets/')
      ? staticImports(text)
      : (text.match(references) ?? []).map(pathOf)
    return [...told, ...loaded.filter(isBehindLock).map((inner) => `${path}: loads ${inner}`)]
  })
}

/** Returns the chunks that a chunk loads together with itself; `import("…")` loads later. */
const staticImports = (text: string) =>
  [...text.matchAll(/(?:from|import)\s*["'](\.\/[\w.-]+)["']/g)].map(([, reference]) =>
    pathOf(reference as string),
  )
