import { tabStorage } from '../../shared/lib/safe-storage.ts'

const endedKey = 'calc.x'

/** Whether a lock replaced this tab's page during an export, kept until the person was told. */
export const endedExport = {
  note: (): void => void tabStorage.set(endedKey, '1'),
  isNoted: (): boolean => tabStorage.get(endedKey) !== null,
  forget: (): void => tabStorage.remove(endedKey),
}
