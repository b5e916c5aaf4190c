import bcrypt from 'bcrypt'

export interface PasswordHashing {
  hash(password: string): Promise<string>
  /** Compares a password with a hash. It takes the same time without a hash, and with a hash of a lower cost. */
  matches(password: string, hash: string | null): Promise<boolean>
  /** Returns whether a hash was made before the cost was raised. */
  isOutdated(hash: string): boolean
}

/** Hashes passwords with bcrypt, at a cost that may be raised later. */
export async function createPasswordHashing(cost: number): Promise<PasswordHashing> {
  const dummyHash = await bcrypt.hash('nothing', cost)
  return {
    hash: (password) => bcrypt.hash(password, cost),
    async matches(password, hash) {
      const isSame = await bcrypt.compare(password, hash ?? dummyHash)
      // A hash takes twice as long as a hash of the cost below, so these hashes add up to the missing time.
      for (let step = bcrypt.getRounds(hash ?? dummyHash); step < cost; step += 1)
        await bcrypt.hash(password, step)
      return hash !== null && isSame
    },
    isOutdated: (hash) => bcrypt.getRounds(hash) < cost,
  }
}
