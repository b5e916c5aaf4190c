import type { Body } from '@uppy/core'
import type Dashboard from '@uppy/dashboard'
import type { Media } from '../media.ts'
import { watchUpload } from '../upload-watch.ts'
import type { Picker, PickerMeta } from './sealed-uploader.ts'

interface FollowOptions {
  media: Pick<Media, 'loss'>
  /** Receives the sentence about a delay, and null when the upload goes on. */
  onDelay?: ((delay: string | null) => void) | undefined
}

/**
 * Follows the upload of a file. The widget shows how much time is left only while parts are sent, because without a
 * rate it would read "0s left".
 */
export function followUpload(picker: Picker, { media, onDelay }: FollowOptions) {
  const dashboard = picker.getPlugin<Dashboard<PickerMeta, Body>>('Dashboard')
  let share = 0
  let isDelayed = false
  let isHidden: boolean | undefined
  const show = () => {
    const hideProgressDetails = isDelayed || share === 0 || share >= 1
    if (isHidden !== hideProgressDetails) dashboard?.setOptions({ hideProgressDetails })
    isHidden = hideProgressDetails
  }
  const tell = (delay: string | null) => {
    isDelayed = delay !== null
    show()
    onDelay?.(delay)
  }
  show()
  const { begin, advance, end } = watchUpload({ media, tell })
  begin()
  return {
    advance: (sent: number): void => {
      share = sent
      advance(sent)
      show()
    },
    end,
  }
}
