/** Receives one line for a person at each step of a long task. */
export type Progress = (line: string) => void

export const silent: Progress = () => undefined

export async function step<T>(progress: Progress, title: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  progress(`${title} …`)
  const result = await work()
  progress(`${title}: done in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  return result
}
