import type { BlockPlace } from './page-block.ts'

const deploying = 'docs/deploy-kubernetes.md'
const saving = 'docs/backup.md'

/** The steps run these blocks of the pages; a test reads the first. */
export const pagePlaces = {
  images: { page: deploying, heading: 'On your own machine', after: '1. **Images.**' },
  secrets: { page: deploying, heading: 'On your own machine', after: '2. **Namespace and secrets.**' },
  everythingElse: { page: deploying, heading: 'On your own machine', after: '3. **Everything else.**' },
  certificate: { page: deploying, heading: 'Production', after: 'Without cert-manager' },
  newVersion: { page: deploying, heading: 'A new version', after: '`kubectl diff` ends with 1' },
  backup: { page: saving, heading: 'In a cluster' },
  restore: { page: saving, heading: 'Restore, step by step', after: 'A cluster' },
} satisfies Record<string, BlockPlace>
