import { tabStorage } from './safe-storage.ts'

/** The tab's storage notes under this key that a lock ended an export. */
const endedExportKey = 'calc.x'

/** Notes that a lock replaced this tab's page during an export, until a notice about this was shown and closed. */
export const endedExport = {
  note: (): void => void tabStorage.set(endedExportKey, '1'),
  isNoted: (): boolean => tabStorage.get(endedExportKey) !== null,
  forget: (): void => tabStorage.remove(endedExportKey),
}
