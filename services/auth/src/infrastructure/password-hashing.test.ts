import bcrypt from 'bcrypt'
import { createPasswordHashing } from './password-hashing.ts'

const cost = 11

/** Processor time of this process, in ms: other programs do not disturb it. */
async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

describe('passwords', () => {
  it('match their own hash only, whatever its cost', async () => {
    const passwords = await createPasswordHashing(5)
    for (const hash of [await passwords.hash('correct horse'), await bcrypt.hash('correct horse', 4)]) {
      expect(await passwords.matches('correct horse', hash)).toBe(true)
      expect(await passwords.matches('wrong horse', hash)).toBe(false)
    }
    expect(await passwords.matches('nothing', null)).toBe(false)
  })

  it('take as long to compare with a hash of a lower cost as without a hash', async () => {
    const passwords = await createPasswordHashing(cost)
    const older = await bcrypt.hash('correct horse', 4)
    const withNone = await processorMs(() => passwords.matches('guess', null))
    const withOlder = await processorMs(() => passwords.matches('guess', older))
    expect(withOlder).toBeGreaterThan(withNone / 2)
    expect(withOlder).toBeLessThan(withNone * 2)
  })

  it('are outdated only below the present cost', async () => {
    const passwords = await createPasswordHashing(5)
    expect(passwords.isOutdated(await bcrypt.hash('x', 4))).toBe(true)
    expect(passwords.isOutdated(await bcrypt.hash('x', 5))).toBe(false)
    expect(passwords.isOutdated(await bcrypt.hash('x', 6))).toBe(false)
  })
})
