import { useEffect, useState } from 'react'
import type { SyntheticEvent } from 'react'
import { useSession } from '../../../page.ts'
import { toMediaInfo } from '../../sealed/media-info.ts'
import { MediaDialog } from '../MediaDialog.tsx'
import { VideoViewer } from '../play/VideoViewer.tsx'
import { PictureViewer } from '../view/PictureViewer.tsx'
import { VoiceMessage } from '../voice/VoiceMessage.tsx'
import { OnceIcon } from './OnceIcon.tsx'
import type { OnceMessage, Openings } from './openings.ts'

interface OnceViewerProps {
  message: OnceMessage
  once: Pick<Openings, 'shown'>
  /** The message was taken back. */
  isUnsent: boolean
  onClose: () => void
}

const prevent = (event: SyntheticEvent) => event.preventDefault()

/** Shows a message over the whole window that ends when this closes. The menu of the browser could save it. */
export function OnceViewer({ message, once, isUnsent, onClose }: OnceViewerProps) {
  useEffect(() => {
    if (isUnsent) onClose()
  })
  return (
    <div
      className="contents select-none [-webkit-touch-callout:none]"
      onContextMenu={prevent}
      onDragStart={prevent}
    >
      <Content message={message} onShown={() => once.shown(message.id)} onClose={onClose} />
    </div>
  )
}

interface ContentProps extends Pick<OnceViewerProps, 'message' | 'onClose'> {
  onShown: () => void
}

function Content({ message: { id, messageType, mediaUrl, look }, onShown, onClose }: ContentProps) {
  const io = useSession().media
  const [shown] = useState(() => {
    const media = look?.state === 'open' ? toMediaInfo(look.body.media, messageType) : undefined
    return { mediaUrl: mediaUrl ?? '', media }
  })
  const [pictures] = useState(() => [{ ...shown, id, caption: '', sender: '', sentAtMs: 0 }])
  const note = (
    <>
      <OnceIcon className="shrink-0" />
      Gone when you close it
    </>
  )
  if (messageType === 'image') return <PictureViewer {...{ pictures, note, onShown, onClose }} startAt={0} />
  if (messageType === 'video')
    return <VideoViewer source={{ ...shown, io }} {...{ note, onShown, onClose }} />
  return (
    <MediaDialog label="Voice message" isPlain {...{ note, onClose }}>
      <div className="flex size-full items-center justify-center p-4">
        <div className="w-full max-w-80 rounded-bubble border border-line bg-surface px-5 py-3">
          <VoiceMessage {...shown} onHeard={onShown} />
        </div>
      </div>
    </MediaDialog>
  )
}
