import bcrypt from 'bcrypt'

export interface PasswordHashing {
  hash(password: string): Promise<string>
  /** Compares in the same time without a hash, and with one of a lower cost. */
  matches(password: string, hash: string | null): Promise<boolean>
  /** Whether a hash was made before the cost was raised. */
  isOutdated(hash: string): boolean
}

/** bcrypt at a cost that may be raised later. */
export async function createPasswordHashing(cost: number): Promise<PasswordHashing> {
  const dummyHash = await bcrypt.hash('nothing', cost)
  return {
    hash: (password) => bcrypt.hash(password, cost),
    async matches(password, hash) {
      const isSame = await bcrypt.compare(password, hash ?? dummyHash)
      // Each cost takes twice as long as the one below it, so these steps add up to the missing time.
      for (let step = bcrypt.getRounds(hash ?? dummyHash); step < cost; step += 1)
        await bcrypt.hash(password, step)
      return hash !== null && isSame
    },
    isOutdated: (hash) => bcrypt.getRounds(hash) < cost,
  }
}
