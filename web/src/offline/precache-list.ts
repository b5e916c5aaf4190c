export interface BuiltChunk {
  fileName: string
  isEntry: boolean
  /** Chunks that are loaded together with this one. */
  imports: string[]
  css: string[]
}

/** The addresses of all files of the calculator: the page, the entry with its imports, styles and public files. */
export function precacheList(chunks: readonly BuiltChunk[], publicFiles: readonly string[]): string[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const files = new Set<string>()
  const take = (fileName: string): void => {
    const chunk = byName.get(fileName)
    if (!chunk || files.has(fileName)) return
    for (const file of [fileName, ...chunk.css]) files.add(file)
    for (const imported of chunk.imports) take(imported)
  }
  for (const { fileName, isEntry } of chunks) if (isEntry) take(fileName)
  return ['/', ...[...files, ...publicFiles].sort().map((file) => `/${file}`)]
}
