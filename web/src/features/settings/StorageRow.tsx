import { sizeText } from '../media/size-text.ts'
import { useGetStorageQuery } from './settings-api.ts'
import { SettingsRow } from './SettingsGroup.tsx'

/** Shows how much of the storage for media is used. */
export function StorageRow() {
  const { data } = useGetStorageQuery(undefined, { refetchOnMountOrArgChange: true })
  if (!data) return null
  const { usedBytes, limitBytes } = data
  return (
    <SettingsRow>
      <div className="w-full py-1">
        <p className="flex justify-between gap-4">
          Media storage
          <span className="text-ink-2">
            {sizeText(usedBytes)} of {sizeText(limitBytes)}
          </span>
        </p>
        <meter
          aria-label="Media storage"
          min={0}
          max={limitBytes}
          value={usedBytes}
          className="mt-1 block h-2 w-full [&::-webkit-meter-bar]:border-none [&::-webkit-meter-bar]:[background:var(--surface-2)] [&::-webkit-meter-optimum-value]:[background:var(--accent)]"
        />
      </div>
    </SettingsRow>
  )
}
