import type { ReactNode } from 'react'
import { dateText } from '../../../shared/lib/date-text.ts'
import { ErrorIcon } from '../../../shared/ui/icons.tsx'
import { lengthText } from '../length-text.ts'
import { mediaName } from '../media-name.ts'
import type { OverviewItem } from './overview-item.ts'

export const tileClass =
  'relative flex aspect-square w-full min-w-0 flex-col items-center justify-center gap-1 overflow-hidden rounded-md bg-surface-2 text-ink-2 focus-visible:-outline-offset-2'

interface RefusedTileProps {
  item: OverviewItem
  onRetry?: (() => void) | undefined
  /** Says why the media cannot be shown. */
  children: ReactNode
}

export function RefusedTile({ item, onRetry, children }: RefusedTileProps) {
  const content = (
    <>
      <ErrorIcon size={18} className="shrink-0" />
      <span className="sr-only">{mediaName[item.type]}: </span>
      <span className="line-clamp-4 px-1 text-center text-xs wrap-anywhere">{children}</span>
    </>
  )
  if (!onRetry) return <div className={tileClass}>{content}</div>
  return (
    <button type="button" onClick={onRetry} className={tileClass}>
      {content}
      <span className="text-xs font-medium text-accent underline">Try again</span>
    </button>
  )
}

/** Returns a name such as "Play video, 0:12, from ben, 3 Mar 2026: The cat". */
export function tileName({ media, sender, caption, atMs }: OverviewItem, action: string): string {
  const length = media?.ms !== undefined && lengthText(media.ms)
  const parts = [action, length, `from ${sender}`, dateText(atMs)]
  const name = parts.filter(Boolean).join(', ')
  return caption === '' ? name : `${name}: ${caption}`
}
