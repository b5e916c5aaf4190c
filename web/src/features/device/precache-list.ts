export interface BuiltChunk {
  fileName: string
  isEntry: boolean
  moduleIds: readonly string[]
  /** These chunks are loaded together with this chunk. */
  imports: string[]
  css: string[]
}

/**
 * The entry chunk imports this module dynamically. The module starts the app that replaces the first page on a known
 * device.
 */
const secondPart = /app\/start-app\.ts$/

/**
 * Lists the addresses of all files that the calculator needs without a network. `first` has the page, the entry chunk
 * with its imports and styles, and the public files; `more` has the files that the app behind the first page needs in
 * addition.
 */
export function precacheList(chunks: readonly BuiltChunk[], publicFiles: readonly string[]) {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const filesOf = (isWanted: (chunk: BuiltChunk) => boolean): Set<string> => {
    const files = new Set<string>()
    const take = (fileName: string): void => {
      const chunk = byName.get(fileName)
      if (!chunk || files.has(fileName)) return
      for (const file of [fileName, ...chunk.css]) files.add(file)
      for (const imported of chunk.imports) take(imported)
    }
    for (const chunk of chunks) if (isWanted(chunk)) take(chunk.fileName)
    return files
  }
  const first = filesOf(({ isEntry }) => isEntry)
  const second = filesOf(({ moduleIds }) => moduleIds.some((id) => secondPart.test(id)))
  const addresses = (files: Iterable<string>) => [...files].sort().map((file) => `/${file}`)
  return {
    first: ['/', ...addresses([...first, ...publicFiles])],
    more: addresses([...second].filter((file) => !first.has(file))),
  }
}
