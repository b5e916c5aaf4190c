/** A setting of a job; a job without it ends with a sentence that names it. */
export function setting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`This job needs ${name} in its environment.`)
  return value
}
