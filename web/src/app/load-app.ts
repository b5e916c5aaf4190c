import { importModule } from '../features/device/import-module.ts'
import { isKnownDevice } from '../features/device/known-device.ts'
import type { Entry } from './create-entry.ts'

const load = () => import('./start-app.ts')

/**
 * Loads the app behind the first page. If `isAway` is true, another screen than the calculator was requested, so the
 * page may be reloaded for a new release; a reload of the calculator would lose what was typed.
 */
export async function loadApp(entry: Entry, isAway: boolean) {
  // Each part of the sign-in would otherwise be requested only when the one before it runs.
  if (isAway && !isKnownDevice()) import('./sign-in.ts').catch(() => undefined)
  const { startApp } = await (isAway ? importModule(load) : load())
  return startApp(entry, isAway)
}
