import { isHonest } from '../prepare/canvas-honesty.ts'
import { fileKind } from '../prepare/file-kind.ts'
import { MediaRefusedError } from '../prepare/media-refused-error.ts'
import type { RefusalReason } from '../prepare/media-refused-error.ts'
import type { PickedFile, Picker } from './sealed-uploader.ts'

interface Checks {
  /** Receives the sentence that explains why a file was removed from the widget. */
  onRefused: (sentence: string) => void
}

/**
 * Removes chosen files whose bytes are not of a kind that can be sent, and edited pictures if this browser falsifies
 * what a canvas returns.
 */
export function checkFiles(picker: Picker, { onRefused }: Checks): void {
  const refuse = ({ id, data }: PickedFile, reason: RefusalReason) => {
    if (picker.getFile(id)?.data !== data) return
    picker.removeFile(id)
    onRefused(new MediaRefusedError(reason).message)
  }
  picker.on('file-added', async (file) => {
    const kind = await fileKind(file.data as Blob)
    if (kind !== 'film' && kind !== 'picture') return refuse(file, kind)
    // The widget offers its editor and previews by the declared type, so a false one is corrected.
    const type = kind === 'film' ? 'video/mp4' : 'image/jpeg'
    const isKnown = file.type.startsWith(type.split('/', 1)[0] ?? '')
    if (!isKnown && picker.getFile(file.id)?.data === file.data) picker.setFileState(file.id, { type })
  })
  picker.on('file-editor:complete', async (file) => {
    if (!(await isHonestCanvas())) refuse(file, 'canvas_lies')
  })
}

/** Returns whether this browser writes a canvas as it was drawn. */
export const isHonestCanvas = (): Promise<boolean> => isHonest(openCanvas)

function openCanvas(side: number) {
  const canvas = Object.assign(document.createElement('canvas'), { width: side, height: side })
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('The browser gave no canvas to draw on.')
  return { context, write: () => new Promise<Blob | null>((done) => canvas.toBlob(done)) }
}
