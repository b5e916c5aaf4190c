import type { Manifest } from './manifest.ts'

/** Summarises a backup in a few lines. */
export function describeBackup({ databases, bucket, name, version, createdAt }: Manifest): string {
  const lines = databases.map(({ owner, collections, clusterTime, migrations }) => {
    const count = collections.reduce((sum, collection) => sum + collection.count, 0)
    const shape = migrations.at(-1) ?? 'none'
    return `  ${owner.padEnd(9)} ${collections.length} collections, ${count} documents, at ${clusterTime}, migrated to ${shape}`
  })
  const media = bucket
    ? `${bucket.objects.length} objects${bucket.vanished > 0 ? `; ${bucket.vanished} were deleted during the backup` : ''}`
    : 'no media bucket is configured'
  return [`${name} (version ${version}, ${createdAt})`, ...lines, `  media     ${media}`].join('\n')
}
