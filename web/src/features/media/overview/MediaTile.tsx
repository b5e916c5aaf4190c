import { fromBase64Url } from '@sumlock/sealing/bytes'
import { useCallback, useMemo } from 'react'
import { thumbHashToDataURL } from 'thumbhash'
import { useSession } from '../../../page.ts'
import { GalleryIcon, PlayIcon } from '../../../shared/ui/icons.tsx'
import { lengthText } from '../length-text.ts'
import { openThumb } from '../open-picture.ts'
import { usePicture } from '../use-picture.ts'
import type { OverviewItem } from './overview-item.ts'
import { RefusedTile, tileClass, tileName } from './RefusedTile.tsx'
import { VoiceTile } from './VoiceTile.tsx'

interface MediaTileProps {
  item: OverviewItem
  onOpen: () => void
}

/** Shows the media of one message as a square. */
export function MediaTile({ item, onOpen }: MediaTileProps) {
  if (item.refusal !== null) return <RefusedTile item={item}>{item.refusal}</RefusedTile>
  return item.type === 'voice' ? <VoiceTile item={item} /> : <PictureTile {...{ item, onOpen }} />
}

/** Shows the thumbnail of a picture or a video. The file itself is only fetched when it is opened. */
function PictureTile({ item, onOpen }: MediaTileProps) {
  const io = useSession().media
  const { mediaUrl, media, type } = item
  const open = useCallback(
    (signal: AbortSignal) => openThumb({ mediaUrl, media, io }, signal),
    [mediaUrl, media, io],
  )
  const [thumb, retry] = usePicture(media?.thumb ? open : null, type === 'video' ? 'video' : 'photo')
  const hash = useMemo(() => media?.hash && thumbHashToDataURL(fromBase64Url(media.hash)), [media])
  if (thumb.state === 'failed') {
    const { sentence, canRetry } = thumb
    return (
      <RefusedTile item={item} onRetry={canRetry ? retry : undefined}>
        {sentence}
      </RefusedTile>
    )
  }
  const src = (thumb.state === 'open' && thumb.url) || hash
  const length = media?.ms !== undefined && lengthText(media.ms)
  return (
    <button
      type="button"
      aria-label={tileName(item, type === 'video' ? 'Play video' : 'Open photo')}
      onClick={onOpen}
      className={tileClass}
    >
      {src ? (
        <img src={src} alt="" draggable={false} className="absolute inset-0 size-full object-cover" />
      ) : (
        type === 'image' && <GalleryIcon size={28} />
      )}
      {type === 'video' && (
        <span className="absolute bottom-1 left-1 flex items-center gap-1 rounded-md bg-black/60 px-1.5 py-0.5 text-xs text-white tabular-nums">
          <PlayIcon size={12} fill="currentColor" />
          {length}
        </span>
      )}
    </button>
  )
}
