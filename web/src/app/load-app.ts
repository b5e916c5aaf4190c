import { importModule } from '../features/device/import-module.ts'
import type { Entry } from './create-entry.ts'

const load = () => import('./start-app.ts')

/**
 * Loads the app behind the first page. If `isAway` is true, another screen than the calculator was requested, so the
 * page may be reloaded for a new release; a reload of the calculator would lose what was typed.
 */
export async function loadApp(entry: Entry, isAway: boolean) {
  const { startApp } = await (isAway ? importModule(load) : load())
  return startApp(entry, isAway)
}
