import { limits } from '@sumlock/contracts/limits'
import { useCallback, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import { lengthOf } from '../../../shared/lib/text-length.ts'
import { IconButton } from '../../../shared/ui/Button.tsx'
import { DeleteIcon } from '../../../shared/ui/first-icons.ts'
import { PencilIcon, SendIcon } from '../../../shared/ui/icons.tsx'
import { LengthNote } from '../../../shared/ui/LengthNote.tsx'
import { Notice } from '../../../shared/ui/Notice.tsx'
import { rarePart } from '../../device/rare-part.tsx'
import type { ChosenFiles } from '../choose-files.ts'
import type { SendMediaOptions } from '../chosen-media.ts'
import { MediaDialog } from '../MediaDialog.tsx'
import { mostFiles } from '../media-limits.ts'
import { OnceToggle, onceSentence } from '../once/OnceToggle.tsx'
import { CaptionBox } from './CaptionBox.tsx'
import { createChosenList } from './chosen-list.ts'
import type { ChosenItem } from './chosen-item.ts'
import { PreviewStage } from './PreviewStage.tsx'
import { PreviewStrip } from './PreviewStrip.tsx'
import { sendChosen } from './send-chosen.ts'

const PictureEditor = rarePart(async () => (await import('./PictureEditor.tsx')).PictureEditor)

export interface MediaPreviewProps {
  name: string
  chosen: ChosenFiles
  /** Whether several files may be sent. */
  isMultiple: boolean
  options: SendMediaOptions
  onClose: () => void
}

/** Shows the chosen files over the whole window, each with its caption, before they are sent. */
export function MediaPreview({ name, chosen, isMultiple, options, onClose }: MediaPreviewProps) {
  const [list] = useState(() => createChosenList({ chosen, isMultiple, sealing: options }))
  const items = useSyncExternalStore(list.subscribe, list.get)
  useEffect(() => {
    list.open()
    return list.close
  }, [list])
  const [key, setKey] = useState(0)
  const [isEditing, setIsEditing] = useState(false)
  const shown = items.find((item) => item.key === key) ?? items[0]
  const focusTitle = useTitleFocus(`${shown?.key} ${isEditing} ${items.length}`)
  const send = () => {
    shown?.asked?.answer(true)
    const next = list.get().find((item) => item.asked ?? isTooLong(item))
    // The person has not seen this question yet, or the caption has to be shortened first.
    if (next) return setKey(next.key)
    sendChosen(list.handOver(), options)
    chosen.onSent?.()
    onClose()
  }
  if (!shown) return null
  const remove = () => {
    list.remove(shown.key)
    if (items.length === 1) onClose()
  }
  return (
    <MediaDialog label={`Send to ${name}`} isPlain onClose={isEditing ? () => setIsEditing(false) : onClose}>
      <div className="flex h-full flex-col pt-[env(safe-area-inset-top)]">
        <header className="flex h-14 shrink-0 items-center gap-1 pr-2 pl-16">
          <h2
            ref={focusTitle}
            tabIndex={-1}
            dir="auto"
            className="min-w-0 flex-1 truncate text-row font-semibold outline-none"
          >
            Send to {name}
          </h2>
          {shown.kind === 'picture' && !isEditing && (
            <IconButton label="Edit" disabled={!shown.prepared} onClick={() => setIsEditing(true)}>
              <PencilIcon />
            </IconButton>
          )}
          {items.length > 1 && !isEditing && (
            <IconButton label="Remove" onClick={remove}>
              <DeleteIcon />
            </IconButton>
          )}
        </header>
        {isEditing && shown.prepared ? (
          <PictureEditor
            file={shown.prepared.file as Blob}
            onDone={(edited) => {
              setIsEditing(false)
              if (edited) list.replace(shown.key, edited)
            }}
            onRefused={(sentence) => {
              setIsEditing(false)
              list.refuse(shown.key, sentence)
            }}
          />
        ) : (
          <>
            <PreviewStage item={shown} />
            {items.length > 1 && (
              <PreviewStrip items={items} shownKey={shown.key} onShow={setKey} onMove={list.move} />
            )}
            <Bottom
              {...{ items, shown, leftOut: list.leftOut, isMultiple }}
              onOnce={(isOnce) => list.setOnce(shown.key, isOnce)}
              onCaption={(text) => list.setCaption(shown.key, text)}
              onSend={send}
            />
          </>
        )}
      </div>
    </MediaDialog>
  )
}

/**
 * Returns a ref of the title. An opening dialog focuses it, because the keyboard of a phone would cover the picture; the
 * caption gets the focus only with a mouse. The title also gets the focus if the focused element leaves at a `change`.
 */
function useTitleFocus(change: string) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (document.activeElement === document.body) title.current?.focus()
  }, [change])
  return useCallback((heading: HTMLHeadingElement | null) => {
    title.current = heading
    if (!window.matchMedia('(pointer: fine)').matches) heading?.setAttribute('autofocus', '')
  }, [])
}

const lengthOfCaption = ({ caption }: ChosenItem) => lengthOf(caption, limits.messageMaxLength)
const isTooLong = (item: ChosenItem) =>
  item.refusal === null && !item.isOnce && lengthOfCaption(item).excess > 0

interface BottomProps {
  items: readonly ChosenItem[]
  shown: ChosenItem
  leftOut: number
  isMultiple: boolean
  onOnce: (isOnce: boolean) => void
  onCaption: (text: string) => void
  onSend: () => void
}

function Bottom({ items, shown, leftOut, isMultiple, onOnce, onCaption, onSend }: BottomProps) {
  const { isOnce } = shown
  const noteId = useId()
  const button = useRef<HTMLButtonElement>(null)
  const refused = items.filter(({ refusal }) => refusal !== null).length
  const isSendable = refused < items.length && items.every(({ kind, refusal }) => kind ?? refusal)
  const canSend = shown.refusal === null
  const length = lengthOfCaption(shown)
  const left = isMultiple
    ? `${mostFiles} files are sent at a time. The first ${mostFiles} are here.`
    : 'Without premium, one file is sent at a time. The first one is here.'
  return (
    <div className="mx-auto w-full max-w-190 shrink-0 space-y-2 px-3 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))]">
      {shown.asked && (
        <Notice kind="warning">
          {shown.asked.sentences.map((sentence) => (
            <p key={sentence}>{sentence}</p>
          ))}
        </Notice>
      )}
      <div role="status" className="text-center text-sm text-ink-2">
        {leftOut > 0 && <p>{left}</p>}
        {refused > 0 && refused < items.length && (
          <p>
            {refused} of {items.length} files cannot be sent. The others go without{' '}
            {refused === 1 ? 'it' : 'them'}.
          </p>
        )}
      </div>
      {!isOnce && <LengthNote id={noteId} what="A caption" purpose="send it" {...length} />}
      <div className="flex items-end justify-end gap-2">
        {canSend && !isOnce && (
          <CaptionBox
            key={shown.key}
            value={shown.caption}
            aria-describedby={noteId}
            aria-invalid={length.excess > 0}
            onChange={({ target }) => onCaption(target.value)}
            onEnter={() => button.current?.click()}
          />
        )}
        {canSend && isOnce && (
          <p className="flex min-h-12 min-w-0 flex-1 items-center pl-2 text-sm text-ink-2">
            {onceSentence(shown.caption, items.length > 1)}
          </p>
        )}
        {canSend && <OnceToggle isOn={isOnce} onChange={onOnce} />}
        <button
          ref={button}
          type="button"
          aria-label="Send"
          disabled={!isSendable}
          onClick={onSend}
          className="inline-flex size-12 shrink-0 items-center justify-center rounded-full bg-accent text-accent-ink transition duration-100 active:scale-95 disabled:bg-surface-2 disabled:text-ink-2"
        >
          <SendIcon />
        </button>
      </div>
    </div>
  )
}
