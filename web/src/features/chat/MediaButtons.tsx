import { useRef } from 'react'
import { loadMediaPreview } from '../../app/chunks/unlocked.tsx'
import { usePage } from '../../page.ts'
import { IconButton } from '../../shared/ui/Button.tsx'
import { CameraIcon, GalleryIcon } from '../../shared/ui/icons.tsx'
import { openSystemPicker } from '../media/choose-files.ts'
import type { ChosenFiles, MediaFrom } from '../media/choose-files.ts'
import { FileInput } from '../media/FileInput.tsx'

export interface MediaButtonsProps {
  canSend: boolean
  isMultiple: boolean
  onFiles: (chosen: ChosenFiles) => void
}

/** Opens the camera or the gallery by one input, which each tap clicks itself. */
export function MediaButtons({ canSend, isMultiple, onFiles }: MediaButtonsProps) {
  const { pickerGrace } = usePage()
  const input = useRef<HTMLInputElement>(null)
  const from = useRef<MediaFrom>('gallery')
  const buttonOf = (source: MediaFrom, label: string, Icon: typeof CameraIcon) => (
    <IconButton
      label={label}
      disabled={!canSend}
      onClick={() => {
        const isCamera = source === 'camera'
        from.current = source
        if (input.current)
          openSystemPicker(input.current, { isCamera, isMultiple: isMultiple && !isCamera }, pickerGrace)
        loadMediaPreview().catch(() => undefined)
      }}
    >
      <Icon />
    </IconButton>
  )
  return (
    <div className="flex items-end gap-1">
      <FileInput ref={input} onFiles={(files) => onFiles({ files, from: from.current })} />
      {buttonOf('camera', 'Take a photo', CameraIcon)}
      {buttonOf('gallery', 'Choose a photo or video', GalleryIcon)}
    </div>
  )
}
