import { container, data, find, pod, remove } from './parts.ts'
import type { Breakage } from './parts.ts'

export const settingsBreakages: readonly Breakage[] = [
  {
    policy: 'settings-complete',
    how: 'a setting left out',
    says: /auth would not start[^]*COOKIE_SECURE/,
    broken: (m) => delete data(m, 'auth')['COOKIE_SECURE'],
  },
  {
    policy: 'settings-complete',
    how: 'a setting nobody reads',
    says: /does not know the setting BCRYPT_COSTS/,
    broken: (m) => (data(m, 'auth')['BCRYPT_COSTS'] = '12'),
  },
  {
    policy: 'settings-complete',
    how: 'a value out of bounds',
    says: /BCRYPT_COST/,
    broken: (m) => (data(m, 'auth')['BCRYPT_COST'] = '4'),
  },
  {
    policy: 'settings-complete',
    how: 'a Secret not given',
    says: /auth would not start[^]*MONGO_URL/,
    broken: (m) => container(m).envFrom?.pop(),
  },
  {
    policy: 'settings-complete',
    how: 'no folder for backups',
    says: /backup would not start[^]*BACKUP_FOLDER/,
    broken: (m) => delete data(m, 'backup')['BACKUP_FOLDER'],
  },
  {
    policy: 'settings-complete',
    how: 'backups kept for too long',
    says: /backup would not start[^]*BACKUP_KEEP_DAYS/,
    broken: (m) => (data(m, 'backup')['BACKUP_KEEP_DAYS'] = '365'),
  },
  {
    policy: 'settings-complete',
    how: 'a setting the backup does not read',
    says: /backup does not know the setting BACKUP_FOLDERS/,
    broken: (m) => (data(m, 'backup')['BACKUP_FOLDERS'] = '/backups'),
  },
  {
    policy: 'settings-complete',
    how: 'a backup without its key',
    says: /backup would not start: BACKUP_KEY is missing/,
    broken: (m) => container(m, 'CronJob', 'backup').envFrom?.pop(),
  },
  {
    policy: 'settings-complete',
    how: 'no backup at all',
    says: /There is no CronJob backup/,
    broken: (m) => remove(m, find(m, 'CronJob', 'backup')),
  },
  {
    policy: 'no-secret-in-config-maps',
    how: 'the key of the backups by its name',
    says: /holds BACKUP_KEY/,
    broken: (m) => (data(m, 'backup')['BACKUP_KEY'] = 'x'),
  },
  {
    policy: 'no-secret-in-config-maps',
    how: 'by its name',
    says: /holds REDIS_URL/,
    broken: (m) => (data(m, 'auth')['REDIS_URL'] = 'redis://redis:6379'),
  },
  {
    policy: 'no-secret-in-config-maps',
    how: 'credentials in an address',
    says: /holds OTHER/,
    broken: (m) => (data(m, 'auth')['OTHER'] = 'https://me:word@example.com'),
  },
  {
    policy: 'no-secret-in-config-maps',
    how: 'a key in hex',
    says: /holds OTHER/,
    broken: (m) => (data(m, 'auth')['OTHER'] = 'a0'.repeat(32)),
  },
  {
    policy: 'no-secret-in-manifests',
    how: 'a Secret in git',
    says: /Secret auth is a file in git/,
    broken: (m) => m.push({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'auth' } }),
  },
  {
    policy: 'no-secret-in-manifests',
    how: 'a secret in a container',
    says: /has PIN_PEPPER written/,
    broken: (m) => container(m).env?.push({ name: 'PIN_PEPPER', value: 'x' }),
  },
  {
    policy: 'no-secret-in-manifests',
    how: "a database's address in a CronJob",
    says: /CronJob backup has MONGO_URL_AUTH written/,
    broken: (m) => (container(m, 'CronJob', 'backup').env = [{ name: 'MONGO_URL_AUTH', value: 'x' }]),
  },
  {
    policy: 'secrets-are-made',
    how: 'one that nothing makes, in a CronJob',
    says: /CronJob backup needs the Secret peppers/,
    broken: (m) => container(m, 'CronJob', 'backup').envFrom?.push({ secretRef: { name: 'peppers' } }),
  },
  {
    policy: 'secrets-are-made',
    how: 'one that nothing makes',
    says: /needs the Secret author/,
    broken: (m) => container(m).envFrom?.push({ secretRef: { name: 'author' } }),
  },
  {
    policy: 'secrets-are-made',
    how: 'one that nobody reads',
    says: /Secret topics is made and nobody/,
    broken: (m) => remove(m, find(m, 'Job', 'topics')),
  },
  {
    policy: 'claims-are-made',
    how: 'one that nothing makes',
    says: /CronJob backup waits for the claim backups/,
    broken: (m) => remove(m, find(m, 'PersistentVolumeClaim', 'backups')),
  },
  {
    policy: 'claims-are-made',
    how: 'one that nobody mounts',
    says: /claim backups is made and nobody/,
    broken: (m) => remove(m, find(m, 'CronJob', 'backup')),
  },
  {
    policy: 'backups-are-kept',
    how: 'a folder that goes with the pod',
    says: /CronJob backup writes backups to \/tmp, and no claim/,
    broken: (m) => (data(m, 'backup')['BACKUP_FOLDER'] = '/tmp'),
  },
  {
    policy: 'backups-are-kept',
    how: 'a volume of root',
    says: /CronJob backup may not write/,
    broken: (m) => delete pod(m, 'CronJob', 'backup').securityContext?.fsGroup,
  },
]
