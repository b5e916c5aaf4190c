/** One line of defence, and the test that has to notice when it is gone. */
export interface Guard {
  /** Stands in the code as `// guard: <id>` right above the guarded place. */
  id: string
  /** What holds as long as the guard stands. */
  invariant: string
  file: string
  /** The first occurrence of `cut` after the marker is replaced by `leave`. */
  cut: string
  leave: string
  test: {
    file: string
    /** The beginning or a part of the title. */
    title: string
    size?: 'full'
  }
}

const markers = /^\s*\/\/ guard: ([a-z0-9-]+)$/gm

/** Ids of the guards that are marked in a source text. */
export const markedIn = (source: string): string[] =>
  [...source.matchAll(markers)].map(([, id]) => id as string)

/** The source without the guard. Throws when the marker or what it marks is not there any more. */
export function withoutGuard(source: string, { id, file, cut, leave }: Guard): string {
  const marker = source.indexOf(`// guard: ${id}\n`)
  if (marker < 0) throw new Error(`${file} has no marker "// guard: ${id}"`)
  const from = source.indexOf(cut, marker)
  if (from < 0) throw new Error(`${file} has nothing after "// guard: ${id}" that reads: ${cut}`)
  return source.slice(0, from) + leave + source.slice(from + cut.length)
}
