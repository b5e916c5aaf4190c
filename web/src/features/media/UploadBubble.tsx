import { cx } from '../../shared/lib/cx.ts'
import { CloseIcon } from '../../shared/ui/first-icons.ts'
import { ErrorIcon, MicrophoneIcon } from '../../shared/ui/icons.tsx'
import { mediaName } from './media-name.ts'
import { OnceIcon } from './once/OnceIcon.tsx'
import { onceName } from './once/once-name.ts'
import { PictureFrame } from './PictureFrame.tsx'
import type { Upload } from './uploads.ts'

const ringLength = 2 * Math.PI * 20
const lineClass = 'flex max-w-[82%] flex-wrap items-center justify-end gap-x-1 text-right text-sm'
const actionClass = 'min-h-11 px-2 font-medium underline'

/** Shows a file on its way: its progress with a way to cancel it, or what keeps it from going on. */
export function UploadBubble({ upload }: { upload: Upload }) {
  const { messageType, previewUrl, width, height, caption, progress, failure, isLost, isOnce, cancel } =
    upload
  const isRunning = failure === null && !isLost
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
      <article tabIndex={-1} className="max-w-[82%] rounded-bubble bg-accent-soft p-1.5 break-words">
        <span className="sr-only">You: </span>
        {messageType === 'voice' || isLost || isOnce ? (
          <span className="flex min-h-11 items-center gap-2 pr-3 pl-2">
            {isRunning && cancelButton('relative size-11')}
            {messageType === 'voice' && !isRunning && !isOnce && <MicrophoneIcon className="mx-2.75" />}
            {isOnce && !isRunning && <OnceIcon className="mx-2.75" />}
            {isOnce ? onceName({ messageType, isOnce: true }) : mediaName[messageType]}
          </span>
        ) : (
          <PictureFrame width={width} height={height} url={previewUrl} alt={mediaName[messageType]}>
            {isRunning && cancelButton('absolute inset-0 m-auto size-14')}
          </PictureFrame>
        )}
        {caption && (
          <p dir="auto" className="px-2 py-1 whitespace-pre-wrap">
            {caption}
          </p>
        )}
      </article>
      <Notes upload={upload} />
    </div>
  )
}

/** Says what keeps the upload from going on, and what the person can do. */
function Notes({ upload }: { upload: Upload }) {
  const { messageType, failure, delay, question, isLost, retry, cancel } = upload
  const discard = (
    <button type="button" className={actionClass} onClick={cancel}>
      Discard
    </button>
  )
  if (isLost)
    return (
      <p role="status" className={cx(lineClass, 'text-danger')}>
        <ErrorIcon size={16} />
        {messageType === 'voice' ? 'Not sent. Record it again.' : 'Not sent.'}
        {messageType !== 'voice' && (
          <button type="button" className={actionClass} onClick={retry}>
            Choose the file again
          </button>
        )}
        {discard}
      </p>
    )
  if (failure !== null)
    return (
      <p role="status" className={cx(lineClass, 'text-danger')}>
        <ErrorIcon size={16} />
        Upload failed. {failure}
        <button type="button" className={actionClass} onClick={retry}>
          Try again
        </button>
        {discard}
      </p>
    )
  if (question)
    return (
      <p role="status" className={lineClass}>
        {question.sentences.join(' ')}
        <button type="button" className={actionClass} onClick={() => question.answer(true)}>
          Send anyway
        </button>
        {discard}
      </p>
    )
  return (
    <p role="status" className={cx(lineClass, 'text-ink-2')}>
      {delay}
    </p>
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
