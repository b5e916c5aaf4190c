export interface BuiltChunk {
  fileName: string
  isEntry: boolean
  /** The module that a dynamic import asked for. */
  facadeModuleId: string | null
  /** Chunks that are loaded together with this one. */
  imports: string[]
  css: string[]
}

/** Loaded by the entry on its own: the app that replaces the first page on a known device. */
const secondPart = /app\/start-app\.ts$/

/**
 * The addresses of all files of the calculator: the page, the entry and the app behind it with their imports, styles and
 * public files.
 */
export function precacheList(chunks: readonly BuiltChunk[], publicFiles: readonly string[]): string[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const files = new Set<string>()
  const take = (fileName: string): void => {
    const chunk = byName.get(fileName)
    if (!chunk || files.has(fileName)) return
    for (const file of [fileName, ...chunk.css]) files.add(file)
    for (const imported of chunk.imports) take(imported)
  }
  for (const { fileName, isEntry, facadeModuleId } of chunks)
    if (isEntry || secondPart.test(facadeModuleId ?? '')) take(fileName)
  return ['/', ...[...files, ...publicFiles].sort().map((file) => `/${file}`)]
}
