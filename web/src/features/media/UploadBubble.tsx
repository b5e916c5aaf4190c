import { cx } from '../../shared/lib/cx.ts'
import { CloseIcon } from '../../shared/ui/first-icons.ts'
import { ErrorIcon, MicrophoneIcon } from '../../shared/ui/icons.tsx'
import { mediaName } from './media-name.ts'
import { PictureFrame } from './PictureFrame.tsx'
import type { Upload } from './uploads.ts'

const ringLength = 2 * Math.PI * 20

/** Shows the progress of an upload with a way to cancel it, or the reason why it failed. */
export function UploadBubble({ upload }: { upload: Upload }) {
  const { messageType, previewUrl, width, height, progress, failure, retry, cancel } = upload
  const cancelButton = (place: string) => (
    <button
      type="button"
      aria-label="Cancel upload"
      onClick={cancel}
      className={cx('flex items-center justify-center rounded-full bg-black/60 text-white', place)}
    >
      <Ring share={progress} />
      <CloseIcon />
    </button>
  )
  return (
    <div className="flex flex-col items-end px-4 pt-0.5">
      <article tabIndex={-1} className="rounded-bubble bg-accent-soft p-1.5">
        <span className="sr-only">You: </span>
        {messageType === 'voice' ? (
          <span className="flex min-h-11 items-center gap-2 pr-3">
            {failure === null ? cancelButton('relative size-11') : <MicrophoneIcon className="mx-2.75" />}
            {mediaName.voice}
          </span>
        ) : (
          <PictureFrame width={width} height={height} url={previewUrl} alt={mediaName[messageType]}>
            {failure === null && cancelButton('absolute inset-0 m-auto size-14')}
          </PictureFrame>
        )}
      </article>
      {failure !== null && (
        <p role="status" className="flex flex-wrap items-center justify-end gap-x-1 text-sm text-danger">
          <ErrorIcon size={16} />
          Upload failed. {failure}
          <button type="button" className="min-h-11 px-2 font-medium underline" onClick={retry}>
            Try again
          </button>
          <button type="button" className="min-h-11 px-2 font-medium underline" onClick={cancel}>
            Discard
          </button>
        </p>
      )}
    </div>
  )
}

function Ring({ share }: { share: number }) {
  return (
    <svg
      viewBox="0 0 48 48"
      className="absolute inset-0 size-full -rotate-90"
      role="progressbar"
      aria-label="Upload"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
    >
      <circle
        cx="24"
        cy="24"
        r="20"
        fill="none"
        stroke="currentColor"
        strokeWidth="3"
        strokeDasharray={ringLength}
        strokeDashoffset={ringLength * (1 - share)}
      />
    </svg>
  )
}
