import type { Logger } from '@sumlock/service-kit/logger'
import { waitFor } from './run-job.ts'

describe('waitFor', () => {
  const setUp = (failures: number, options: Parameters<typeof waitFor>[3] = {}) => {
    const lines: string[] = []
    const logger = { warn: (_: object, line: string) => lines.push(line) } as unknown as Logger
    let attempts = 0
    const attempt = async () => {
      attempts += 1
      if (attempts <= failures) throw new Error(`failure ${attempts}`)
      return Promise.resolve('done')
    }
    return { lines, waiting: waitFor('Kafka', attempt, logger, { everyMs: 1, ...options }) }
  }

  it('repeats an attempt until it succeeds, and logs each failure', async () => {
    const { lines, waiting } = setUp(2)
    expect(await waiting).toBe('done')
    expect(lines).toEqual(Array(2).fill('Kafka is not ready yet; trying again'))
  })

  it('gives up after its time with the last error', async () => {
    await expect(setUp(1, { timeoutMs: -1 }).waiting).rejects.toThrow('failure 1')
  })

  it('ends at once for an error that waiting cannot mend', async () => {
    const { lines, waiting } = setUp(5, { isFatal: (error) => String(error).includes('failure 2') })
    await expect(waiting).rejects.toThrow('failure 2')
    expect(lines).toHaveLength(1)
  })
})
