import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unprovision } from '@sumlock/deployment/provision'
import { checkProduct, migratedReleaseData, readLastRelease } from '../kit/release/last-release.ts'
import {
  checkOutRelease,
  isCommitPresent,
  removeRelease,
  startRelease,
} from '../kit/release/start-release.ts'

const release = readLastRelease()
// A clone without history has no code of the last release to start.
const whenPresent = (await isCommitPresent(release.commit)) ? it : it.skip
if (whenPresent === it.skip)
  process.stderr.write(
    `  Skipped: this clone has no commit ${release.commit}. Fetch the history to run it.\n`,
  )

whenPresent(
  'runs the code of the last release on migrated data, as replicas do during a rollout',
  async () => {
    const parent = await mkdtemp(join(tmpdir(), 'sumlock-release-'))
    const folder = join(parent, 'checkout')
    const data = await migratedReleaseData(release)
    await checkOutRelease(release.commit, folder)
    try {
      const old = await startRelease(folder, data)
      try {
        const contents = await checkProduct(old.gatewayUrl, release, 'sent by the last release')
        expect(contents).toEqual([...release.messages, 'sent by the last release'])
      } finally {
        await old.stop()
      }
    } finally {
      await removeRelease(folder)
      await rm(parent, { recursive: true, force: true })
      await unprovision(data.addresses, data.namespace)
    }
  },
)
