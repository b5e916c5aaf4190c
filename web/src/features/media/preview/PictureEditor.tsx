import '@uppy/core/css/style.min.css'
import '@uppy/image-editor/css/style.min.css'
import '../picker/picker.css'
import { Uppy } from '@uppy/core'
import ImageEditor from '@uppy/image-editor'
import { useEffectEvent, useLayoutEffect, useRef } from 'react'
import { Button } from '../../../shared/ui/Button.tsx'
import { adaptWidget } from '../picker/adapt-widget.ts'
import { isHonestCanvas } from '../picker/check-files.ts'
import { MediaRefusedError } from '../prepare/media-refused-error.ts'

export interface PictureEditorProps {
  /** The prepared picture is upright and has no more pixels than are sent. */
  file: Blob
  /** Receives the edited picture, or null if nothing was changed. */
  onDone: (edited: Blob | null) => void
  onRefused: (sentence: string) => void
}

const silent = { debug: () => undefined, warn: () => undefined, error: () => undefined }
/** The picture is written once more when it is prepared, so this writes it nearly without a loss. */
const quality = 0.95

/** Rotates and cuts a picture by the editor of the upload widget. */
export function PictureEditor({ file, onDone, onRefused }: PictureEditorProps) {
  const place = useRef<HTMLDivElement>(null)
  const save = useRef<() => void>(undefined)
  const finish = useEffectEvent(async (edited: Blob) => {
    if (await isHonestCanvas()) onDone(edited)
    else onRefused(new MediaRefusedError('canvas_lies').message)
  })
  useLayoutEffect(() => {
    const target = place.current as HTMLDivElement
    // To read the orientation, the editor would fetch a blob, which the page's content security policy forbids. When the
    // window is turned, it would only scale the former places, which then lie outside, so it fits picture and cut anew.
    const cropperOptions = { checkOrientation: false, restore: false }
    const uppy = new Uppy({ id: 'editor', logger: silent }).use(ImageEditor, {
      target,
      quality,
      cropperOptions,
    })
    const editor = uppy.getPlugin<ImageEditor<Record<string, unknown>, Record<string, never>>>('ImageEditor')
    uppy.on('file-editor:complete', ({ data }) => void finish(data as Blob))
    const id = uppy.addFile({ source: 'page', name: 'picture', type: file.type, data: file })
    editor?.selectFile(uppy.getFile(id))
    save.current = editor?.save
    const stopAdapting = adaptWidget(target)
    return () => {
      stopAdapting()
      uppy.destroy()
    }
  }, [file])
  return (
    <>
      <div ref={place} className="picker picture-editor min-h-0 flex-1" />
      <div className="mx-auto flex w-full max-w-190 shrink-0 gap-3 p-3 pb-[max(0.75rem,env(safe-area-inset-bottom))]">
        <Button variant="secondary" className="flex-1" onClick={() => onDone(null)}>
          Cancel
        </Button>
        <Button className="flex-1" onClick={() => save.current?.()}>
          Save
        </Button>
      </div>
    </>
  )
}
