import { parseArgs } from 'node:util'
import { RefusedError } from './errors.ts'
import type { RestoreOptions } from './restore-backup.ts'

/** Reads `[name] [--replace] [--without-media] [--say-again <hours>]`. */
export function readRestoreOptions(
  args?: readonly string[],
): Pick<RestoreOptions, 'name' | 'replace' | 'withoutMedia' | 'sayAgainHours'> {
  const { values, positionals } = parseArgs({
    ...(args ? { args: [...args] } : {}),
    allowPositionals: true,
    options: {
      replace: { type: 'boolean', default: false },
      'without-media': { type: 'boolean', default: false },
      'say-again': { type: 'string', default: '0' },
      data: { type: 'string' },
    },
  })
  const sayAgainHours = Number(values['say-again'])
  if (!Number.isFinite(sayAgainHours) || sayAgainHours < 0 || sayAgainHours > 168)
    throw new RefusedError('--say-again wants hours, from 0 to 168.')
  return {
    ...{ name: positionals[0], replace: values.replace },
    ...{ withoutMedia: values['without-media'], sayAgainHours },
  }
}
