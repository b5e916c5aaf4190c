import { tabStorage } from './safe-storage.ts'

/** The tab's storage notes under this key that a lock ended an export. */
const endedExportKey = 'calc.x'

/** Remembers that a lock replaced this tab's page during an export, until the person has read it. */
export const endedExport = {
  note: (): void => void tabStorage.set(endedExportKey, '1'),
  isNoted: (): boolean => tabStorage.get(endedExportKey) !== null,
  forget: (): void => tabStorage.remove(endedExportKey),
}
