import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Secrets } from '@sumlock/deployment/secrets'
import { repoRoot } from '@sumlock/dev/config'

export interface ReleasedPerson {
  username: string
  password: string
  pin: string
}

/** What the tests know of the dump that the last release wrote: how to sign in, and what is stored. */
export interface LastRelease {
  commit: string
  /** The keys without which stored PINs and notices mean nothing. */
  secrets: Pick<Secrets, 'pinPepper' | 'codePepper' | 'outboxKeySecret' | 'noticeKeyId' | 'noticeKey'>
  ann: ReleasedPerson
  bob: ReleasedPerson
  conversationId: string
  messages: string[]
  /** End of the premium that was granted to Ann. */
  premiumUntil: string
}

export const lastReleaseFolder = join(repoRoot, 'testing/fixtures/last-release')

export const readLastRelease = (): LastRelease =>
  JSON.parse(readFileSync(join(lastReleaseFolder, 'release.json'), 'utf8')) as LastRelease
