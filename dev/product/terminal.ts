export const progress = (text: string): void => {
  process.stderr.write(`  ${text.replaceAll('\n', '\n  ')}\n`)
}

export function failWith(error: unknown): never {
  const message = error instanceof Error ? error.message : String(error)
  const isDiskFull = /ENOSPC|No space left/.test(message)
  const remedy = isDiskFull ? 'The disk is full: free some space and try again.\n' : ''
  process.stderr.write(`\n${remedy}${message}\n`)
  process.exit(1)
}
