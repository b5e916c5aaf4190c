import { loadMediaPreview, UploadBubble } from '../../app/chunks/unlocked.tsx'
import { useLoaded } from '../../shared/lib/use-loaded.ts'
import { rarePart } from '../device/rare-part.tsx'
import type { ChosenFiles } from '../media/choose-files.ts'
import type { SendMediaOptions } from '../media/chosen-media.ts'
import { LostFiles } from '../media/LostFiles.tsx'
import { SealingNotice } from './SealingNotice.tsx'
import { UnsentNote } from './UnsentNote.tsx'

const MediaPreview = rarePart(async () => (await loadMediaPreview()).MediaPreview)
const MediaPicker = rarePart(async () => (await import('../media/picker/MediaPicker.tsx')).MediaPicker)

/** The upload widget is part of the page, or a dialog with the dropped file. */
export interface PickerState {
  file?: File
  isInline?: boolean
}

export interface ComposerPartsProps {
  name: string
  /** Whether several files may be sent. */
  isMultiple: boolean
  options: SendMediaOptions
  chosen: ChosenFiles | undefined
  onChosen: (chosen?: ChosenFiles) => void
  picker: PickerState | undefined
  onPickerClosed: () => void
}

/** Shows what stands above the composer: notices, and the files that are being chosen. */
export function ComposerParts(props: ComposerPartsProps) {
  const { name, isMultiple, options, chosen, onChosen, picker, onPickerClosed } = props
  const { conversationId } = options
  // Without this, a bubble would wait for 300 ms behind the fallback of its first rendering.
  useLoaded(UploadBubble.load)
  return (
    <>
      <SealingNotice id={conversationId} name={name} />
      <UnsentNote />
      <LostFiles conversationId={conversationId} onFiles={onChosen} />
      {picker && <MediaPicker {...picker} options={options} onClose={onPickerClosed} />}
      {chosen && <MediaPreview {...{ name, isMultiple, options, chosen }} onClose={() => onChosen()} />}
    </>
  )
}
