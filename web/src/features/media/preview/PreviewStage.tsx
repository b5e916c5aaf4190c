import { ErrorIcon, PlayIcon } from '../../../shared/ui/icons.tsx'
import { Spinner } from '../../../shared/ui/Spinner.tsx'
import { lengthText } from '../length-text.ts'
import type { ChosenItem } from './chosen-item.ts'

/** Shows one chosen file as large as possible, or the reason why it cannot be sent. */
export function PreviewStage({ item }: { item: ChosenItem }) {
  return (
    <div className="relative flex min-h-0 flex-1 items-center justify-center bg-surface-2">
      <Content item={item} />
    </div>
  )
}

function Content({ item: { kind, url, stillUrl, prepared, refusal, asked } }: { item: ChosenItem }) {
  if (refusal !== null)
    return (
      <p role="alert" className="flex max-w-md gap-3 p-6 text-danger">
        <ErrorIcon className="shrink-0" />
        {refusal}
      </p>
    )
  if (kind === 'film')
    return <Film stillUrl={stillUrl} ms={prepared?.info.ms} isReady={!!(prepared ?? asked)} />
  if (!url) return <Spinner label="Preparing…" />
  return <img src={url} alt="Photo" draggable={false} className="size-full object-contain" />
}

interface FilmProps {
  stillUrl: string | null
  ms: number | undefined
  isReady: boolean
}

function Film({ stillUrl, ms, isReady }: FilmProps) {
  return (
    <>
      {stillUrl && <img src={stillUrl} alt="Video" draggable={false} className="size-full object-contain" />}
      <span className="absolute flex flex-col items-center gap-2">
        <span className="flex size-16 items-center justify-center rounded-full bg-black/60 text-white">
          <PlayIcon size={30} fill="currentColor" className="ml-1" />
        </span>
        {ms !== undefined && (
          <span className="rounded-md bg-black/60 px-1.5 text-sm text-white tabular-nums">
            {lengthText(ms)}
          </span>
        )}
        {!isReady && <Spinner label="Preparing…" />}
      </span>
    </>
  )
}
