import { parseArgs } from 'node:util'
import { RefusedError } from './errors.ts'
import type { RestoreOptions } from './restore-backup.ts'

/** Reads `[name] [--replace] [--without-media] [--republish <hours>]`. */
export function readRestoreOptions(
  args?: readonly string[],
): Pick<RestoreOptions, 'name' | 'replace' | 'withoutMedia' | 'republishHours'> {
  const { values, positionals } = parseArgs({
    ...(args ? { args: [...args] } : {}),
    allowPositionals: true,
    options: {
      replace: { type: 'boolean', default: false },
      'without-media': { type: 'boolean', default: false },
      republish: { type: 'string', default: '0' },
      data: { type: 'string' },
    },
  })
  const republishHours = Number(values.republish)
  if (!Number.isFinite(republishHours) || republishHours < 0 || republishHours > 168)
    throw new RefusedError('--republish takes a number of hours from 0 to 168.')
  return {
    name: positionals[0],
    replace: values.replace,
    withoutMedia: values['without-media'],
    republishHours,
  }
}
