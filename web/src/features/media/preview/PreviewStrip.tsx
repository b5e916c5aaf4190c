import { cx } from '../../../shared/lib/cx.ts'
import { IconButton } from '../../../shared/ui/Button.tsx'
import { ErrorIcon, LaterIcon, EarlierIcon, PlayIcon } from '../../../shared/ui/icons.tsx'
import { OnceIcon } from '../once/OnceIcon.tsx'
import type { ChosenItem } from './chosen-item.ts'

export interface PreviewStripProps {
  items: readonly ChosenItem[]
  shownKey: number
  onShow: (key: number) => void
  onMove: (key: number, by: -1 | 1) => void
}

/** Shows all chosen files in the order of sending. The shown one can be moved by one place. */
export function PreviewStrip({ items, shownKey, onShow, onMove }: PreviewStripProps) {
  const place = items.findIndex(({ key }) => key === shownKey)
  const shown = items[place]
  const moving = (label: string, by: -1 | 1, Icon: typeof LaterIcon) => (
    <IconButton
      label={label}
      aria-disabled={!items[place + by]}
      onClick={() => onMove(shownKey, by)}
      className="aria-disabled:opacity-40"
    >
      <Icon />
    </IconButton>
  )
  return (
    <div className="mx-auto flex w-full max-w-190 shrink-0 items-center gap-1 px-1 pt-2">
      {moving('Move earlier', -1, EarlierIcon)}
      <ol
        aria-label="Files in the order of sending"
        className="flex min-w-0 flex-1 gap-2 overflow-x-auto p-1"
      >
        {items.map((item, index) => (
          <li key={item.key} className="shrink-0">
            <button
              type="button"
              aria-label={nameOf(item, index, items.length)}
              aria-current={item.key === shownKey}
              onClick={() => onShow(item.key)}
              className="relative flex size-14 items-center justify-center overflow-hidden rounded-xl border-2 border-transparent bg-surface-2 aria-[current=true]:border-accent"
            >
              {item.stillUrl && (
                <img src={item.stillUrl} alt="" draggable={false} className="size-full object-cover" />
              )}
              {item.kind === 'film' && (
                <PlayIcon
                  size={18}
                  fill="currentColor"
                  className={cx('absolute', item.stillUrl && 'text-white')}
                />
              )}
              {item.refusal !== null && <ErrorIcon className="text-danger" />}
              {item.isOnce && item.refusal === null && (
                <OnceIcon
                  size={20}
                  className="absolute right-0.5 bottom-0.5 rounded-full bg-accent text-accent-ink"
                />
              )}
            </button>
          </li>
        ))}
      </ol>
      {moving('Move later', 1, LaterIcon)}
      <p role="status" className="sr-only">
        {shown && nameOf(shown, place, items.length)}
      </p>
    </div>
  )
}

function nameOf({ kind, refusal, isOnce }: ChosenItem, index: number, count: number): string {
  const media = `${kind === 'film' ? 'video' : 'photo'}${isOnce ? ', view once' : ''}`
  return `File ${index + 1} of ${count}, ${refusal !== null ? 'cannot be sent' : media}`
}
