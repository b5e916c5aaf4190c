import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { ReactNode, RefObject } from 'react'
import { Virtualizer } from 'virtua'
import { useSession } from '../../../page.ts'
import { monthText } from '../../../shared/lib/date-text.ts'
import { useMediaQuery } from '../../../shared/lib/use-media-query.ts'
import { MediaDialog } from '../MediaDialog.tsx'
import { VideoViewer } from '../play/VideoViewer.tsx'
import { MediaTile } from './MediaTile.tsx'
import type { OverviewItem } from './overview-item.ts'
import { overviewRows } from './overview-rows.ts'

export interface MediaOverviewProps {
  /** The newest item comes first. */
  items: readonly OverviewItem[]
  /** Says below the media whether there may be older ones. */
  foot: ReactNode
  /** Receives whether the end of the media is nearly on the screen. */
  onNearEnd: (isNear: boolean) => void
  onClose: () => void
}

/** Shows the media of a conversation in a grid over the whole window, by month. */
export function MediaOverview({ items, foot, onNearEnd, onClose }: MediaOverviewProps) {
  const io = useSession().media
  const scroller = useRef<HTMLDivElement>(null)
  const columns = useColumns()
  const rows = useMemo(() => overviewRows(items, columns), [items, columns])
  const [playedId, setPlayedId] = useState<string | null>(null)
  // A video that was deleted meanwhile closes.
  const played = items.find(({ id, type }) => id === playedId && type === 'video')
  const open = ({ id, type }: OverviewItem) => {
    if (type === 'video') setPlayedId(id)
    else io.viewed.set(id)
  }
  return (
    <>
      <MediaDialog label={title} isPlain onClose={onClose}>
        <div className="flex h-full flex-col pt-[env(safe-area-inset-top)]">
          <h2 className="flex min-h-14 shrink-0 items-center border-b border-line py-2 pr-4 pl-16 text-row font-semibold">
            {title}
          </h2>
          <div
            ref={scroller}
            role="region"
            aria-label={title}
            tabIndex={0}
            className="min-h-0 flex-1 touch-pan-y touch-pinch-zoom overflow-y-auto overscroll-contain focus-visible:-outline-offset-2"
          >
            <div className="mx-auto flex min-h-full max-w-5xl flex-col px-1 pb-[max(1rem,env(safe-area-inset-bottom))]">
              <Virtualizer scrollRef={scroller} data={rows}>
                {(row) =>
                  row.kind === 'month' ? (
                    <h3 key={row.key} className="px-3 pt-5 pb-2 text-sm font-semibold text-ink-2">
                      {monthText(row.atMs)}
                    </h3>
                  ) : (
                    <div
                      key={row.key}
                      className="grid gap-1 pb-1"
                      style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
                    >
                      {row.items.map((item) => (
                        <MediaTile key={item.id} item={item} onOpen={() => open(item)} />
                      ))}
                    </div>
                  )
                }
              </Virtualizer>
              <End {...{ scroller, onNearEnd }}>{foot}</End>
            </div>
          </div>
        </div>
      </MediaDialog>
      {played && (
        <VideoViewer
          source={{ mediaUrl: played.mediaUrl, media: played.media, io }}
          onClose={() => setPlayedId(null)}
        />
      )}
    </>
  )
}

const title = 'Photos, videos and voice'

function useColumns(): number {
  const isMiddle = useMediaQuery('(min-width: 600px)')
  const isWide = useMediaQuery('(min-width: 960px)')
  return isWide ? 6 : isMiddle ? 4 : 3
}

interface EndProps extends Pick<MediaOverviewProps, 'onNearEnd'> {
  scroller: RefObject<HTMLElement | null>
  children: ReactNode
}

/** Reports when it comes near the screen, so that older media are there before the person has scrolled to the end. */
function End({ scroller, onNearEnd, children }: EndProps) {
  const end = useRef<HTMLDivElement>(null)
  const tell = useEffectEvent(onNearEnd)
  useEffect(() => {
    if (!end.current) return
    const observer = new IntersectionObserver(
      (entries) => tell(entries.some(({ isIntersecting }) => isIntersecting)),
      { root: scroller.current, rootMargin: '600px' },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [scroller])
  return (
    <div ref={end} className="flex grow flex-col">
      {children}
    </div>
  )
}
