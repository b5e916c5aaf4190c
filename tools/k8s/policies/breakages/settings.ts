import { container, data, find, remove } from './parts.ts'
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
]
