import { tabStorage } from './safe-storage.ts'
import { endedExportKey } from './known-device.ts'

/** Whether a lock replaced this tab's page during an export, kept until the person was told. */
export const endedExport = {
  note: (): void => void tabStorage.set(endedExportKey, '1'),
  isNoted: (): boolean => tabStorage.get(endedExportKey) !== null,
  forget: (): void => tabStorage.remove(endedExportKey),
}
