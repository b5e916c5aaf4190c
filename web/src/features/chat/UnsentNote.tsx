import { useSyncExternalStore } from 'react'
import { useSession } from '../../page.ts'

/** Warns while some unsent text is in memory only, because its entry in the device's storage is full. */
export function UnsentNote() {
  const { unsent } = useSession()
  const isFull = useSyncExternalStore(unsent.subscribe, () => unsent.isFull)
  return (
    <div role="status">
      {isFull && (
        <p className="border-t border-line px-4 py-2 text-center text-sm text-ink-2">
          Not all of your unsent text can be kept on this device. Send or shorten it before you leave, or it
          is lost.
        </p>
      )}
    </div>
  )
}
