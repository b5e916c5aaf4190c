import '@uppy/core/css/style.min.css'
import '@uppy/dashboard/css/style.min.css'
import '@uppy/image-editor/css/style.min.css'
import './picker.css'
import { useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { IconButton } from '../../../shared/ui/Button.tsx'
import { Dialog } from '../../../shared/ui/Dialog.tsx'
import { CloseIcon } from '../../../shared/ui/first-icons.ts'
import type { Toasts } from '../../../shared/ui/toasts.ts'
import { mediaLimits } from '../media-limits.ts'
import { sendMedia } from '../send-media.ts'
import type { SendMediaOptions } from '../chosen-media.ts'
import { OnceToggle, onceSentence } from '../once/OnceToggle.tsx'
import { createPicker } from './create-picker.ts'
import { adaptWidget, closePanelsFirst, watchSystemPicker } from './adapt-widget.ts'
import type { PickedFile, Picker, PickerMeta } from './sealed-uploader.ts'
import { SendQuestion, useQuestions } from './SendQuestion.tsx'

const title = 'Choose a photo or video'
const accept = 'image/*, video/*'
const { bytes: maxFileSize, text: maxText } = mediaLimits.gallery

export interface MediaPickerProps {
  /** A file that was dropped is already in the widget when it opens. */
  file?: File | undefined
  /** True if the widget is part of the page instead of a dialog. */
  isInline?: boolean | undefined
  options: SendMediaOptions
  onClose: () => void
}

/**
 * Shows the upload widget in a dialog or in the page. The widget takes one picture or video, lets the person edit a
 * picture, and sends the file when "Upload" is pressed.
 */
export function MediaPicker(props: MediaPickerProps) {
  const { isInline, onClose } = props
  if (!isInline)
    return (
      <Dialog open onOpenChange={onClose} title={title}>
        <Widget {...props} />
      </Dialog>
    )
  return (
    <section aria-label="Add media" className="relative shrink-0 border-t border-line p-3 pt-12">
      <Widget {...props} />
      <IconButton label="Close" className="absolute top-0.5 right-2" onClick={onClose}>
        <CloseIcon />
      </IconButton>
    </section>
  )
}

function Widget({ file, isInline = false, options, onClose }: MediaPickerProps) {
  const place = useRef<HTMLDivElement>(null)
  const widget = useRef<Picker>(null)
  const [picked, setPicked] = useState<PickedFile>()
  const [refusal, setRefusal] = useState<string | null>(null)
  const [delay, setDelay] = useState<string | null>(null)
  const told = picked?.error ?? refusal ?? delay
  const { ask, answer, listen, question } = useQuestions()
  const open = useEffectEvent((target: HTMLElement) => {
    const restrictions = { maxNumberOfFiles: 1, minFileSize: 1, maxFileSize }
    const shown = { target, restrictions, note: `A photo or video of up to ${maxText}` }
    const picker = createPicker({
      ...{ ...options, ...shown, ask },
      ...{ onRefused: setRefusal, onDelay: setDelay, onDone: onClose },
    })
    picker.on('file-added', () => setRefusal(null))
    picker.on('state-update', (_before, { files }) => setPicked(Object.values(files)[0]))
    picker.on('complete', ({ successful }) => {
      // Inline, the widget goes on showing what was sent.
      if (successful?.some(({ meta }) => !isInline || meta.isOnce)) onClose()
    })
    if (file) add(picker, file)
    // The dialog focuses its first control by itself; the page does not.
    if (isInline) target.querySelector('button')?.focus()
    return picker
  })
  const listenToQuestions = useEffectEvent(listen)
  const handOver = useEffectEvent((picker: Picker) => handOverUnfinished(picker, options))
  // The widget must exist before the dialog opens, because the dialog then focuses its first control.
  useLayoutEffect(() => {
    const target = place.current as HTMLDivElement
    const picker = open(target)
    widget.current = picker
    const stopAdapting = adaptWidget(target, accept)
    const stopClosing = closePanelsFirst(picker)
    const stopAsking = listenToQuestions()
    const stopWatching = watchSystemPicker(target, options.media.pickerGrace)
    return () => {
      stopAdapting()
      stopClosing()
      stopAsking()
      stopWatching()
      handOver(picker)
      picker.destroy()
    }
  }, [file, options.media.pickerGrace])
  return (
    <>
      <div ref={place} className="picker" />
      {picked && isWaiting(picked) && (
        <Once meta={picked.meta} onChange={(isOnce) => widget.current?.setFileMeta(picked.id, { isOnce })} />
      )}
      {told !== null && (
        <p role="alert" className="mt-3 text-danger">
          {told}
        </p>
      )}
      {question && <SendQuestion sentences={question.sentences} onAnswer={answer} />}
    </>
  )
}

/** Returns whether the person has not sent the file yet. */
const isWaiting = ({ progress, error }: PickedFile) =>
  !error && !progress.preprocess && progress.uploadStarted === null

function Once({ meta, onChange }: { meta: PickerMeta; onChange: (isOnce: boolean) => void }) {
  const { isOnce = false, caption } = meta
  return (
    <div className="mt-2 flex items-center gap-2">
      <OnceToggle isOn={isOnce} onChange={onChange} />
      {isOnce ? (
        <p className="min-w-0 text-sm text-ink-2">{onceSentence(caption)}</p>
      ) : (
        // The button has this name.
        <span aria-hidden className="text-sm text-ink-2">
          View once
        </span>
      )}
    </div>
  )
}

function add(picker: Picker, file: File): void {
  try {
    picker.addFile({ source: 'page', name: file.name, type: file.type, data: file })
  } catch {
    // `addFile` throws if the widget refuses the file; the widget shows the reason itself.
  }
}

function tellRefusal({ toast }: Toasts, error: unknown): void {
  const description = error instanceof Error ? error.message : 'Failed to upload media'
  toast({ title: 'Upload failed', description, variant: 'destructive' })
}

/** Continues unfinished uploads in the chat after the widget was closed. Their bubbles can retry or discard them. */
function handOverUnfinished(picker: Picker, options: SendMediaOptions): void {
  for (const { data, meta, error, progress } of picker.getFiles()) {
    const isUnfinished = progress.uploadStarted !== null || progress.preprocess || error
    if (!isUnfinished || progress.complete) continue
    const chosen = { file: data as Blob, caption: meta.caption, isOnce: meta.isOnce, failure: error }
    sendMedia(chosen, options).catch((error: unknown) => tellRefusal(options.media.toasts, error))
  }
}
