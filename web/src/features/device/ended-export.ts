import { tabStorage } from './safe-storage.ts'

/** Storage key of the tab: a lock ended an export. */
const endedExportKey = 'calc.x'

/** Whether a lock replaced this tab's page during an export, kept until the person was told. */
export const endedExport = {
  note: (): void => void tabStorage.set(endedExportKey, '1'),
  isNoted: (): boolean => tabStorage.get(endedExportKey) !== null,
  forget: (): void => tabStorage.remove(endedExportKey),
}
