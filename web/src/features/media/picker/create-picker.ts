import { Uppy } from '@uppy/core'
import type { Body, Restrictions } from '@uppy/core'
import Dashboard from '@uppy/dashboard'
import ImageEditor from '@uppy/image-editor'
import type { SendMediaOptions } from '../chosen-media.ts'
import { checkFiles } from './check-files.ts'
import { keepOfflineNotice } from './offline-notice.ts'
import { pickerStrings } from './picker-strings.ts'
import { dropFailureNotices } from './quiet-failures.ts'
import { SealedUploader } from './sealed-uploader.ts'
import type { Picker, PickerMeta } from './sealed-uploader.ts'
import { showPreviews } from './show-previews.ts'

export interface PickerOptions extends SendMediaOptions {
  target: HTMLElement
  /** Without restrictions, neither the number nor the size of files is limited. */
  restrictions?: Partial<Restrictions>
  note?: string
  /** Receives the sentence that explains why a file cannot be sent and was removed from the widget. */
  onRefused?: (sentence: string) => void
  /** Receives the sentence about an upload that does not go on, and null when it goes on. */
  onDelay?: (delay: string | null) => void
  onDone: () => void
}

// The widget would log the names of files to the console. Nothing is logged, because the person sees all failures.
const silent = { debug: () => undefined, warn: () => undefined, error: () => undefined }

/** Mounts the upload widget. The `destroy` of the returned picker removes it. */
export function createPicker(options: PickerOptions): Picker {
  const { target, restrictions, note, onDone, ...sending } = options
  const picker: Picker = new Uppy<PickerMeta, Body>({
    id: 'picker',
    autoProceed: false,
    allowMultipleUploadBatches: false,
    logger: silent,
    locale: { strings: pickerStrings, pluralize: (count) => (count === 1 ? 0 : 1) },
    ...(restrictions && { restrictions }),
  })
  keepOfflineNotice(picker)
  dropFailureNotices(picker)
  if (sending.onRefused) checkFiles(picker, { onRefused: sending.onRefused })
  showPreviews(picker)
  return (
    picker
      .use(Dashboard, {
        ...{ inline: true, target, width: '100%', height: 'min(26rem, 60dvh)', note: note ?? null },
        theme: (document.documentElement.dataset['theme'] ?? 'auto') as 'auto' | 'light' | 'dark',
        metaFields: [{ id: 'caption', name: 'Caption', placeholder: 'Add a caption' }],
        proudlyDisplayPoweredByUppy: false,
        // `showPreviews` makes the previews, because the widget's own crop pictures that a camera stored sideways.
        disableThumbnailGenerator: true,
        doneButtonHandler: onDone,
      })
      // To read the orientation, the editor would fetch a blob, which the page's content security policy forbids. The
      // browser rotates pictures itself. For `restore`, see PictureEditor.
      .use(ImageEditor, { cropperOptions: { checkOrientation: false, restore: false } })
      .use(SealedUploader, sending)
  )
}
