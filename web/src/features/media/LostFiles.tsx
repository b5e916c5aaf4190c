import { useEffect, useRef } from 'react'
import { usePage, useSession } from '../../page.ts'
import { openSystemPicker } from './choose-files.ts'
import { FileInput } from './FileInput.tsx'
import type { ChosenFiles } from './choose-files.ts'
import { dropStub, lostFiles } from './lost-files.ts'
import type { FileStub } from './lost-files.ts'

export interface LostFilesProps {
  conversationId: string
  onFiles: (chosen: ChosenFiles) => void
}

/**
 * Shows a bubble for each file that an earlier page of this device could not send before it was closed. The person can
 * choose it again.
 */
export function LostFiles({ conversationId, onFiles }: LostFilesProps) {
  const { pickerGrace } = usePage()
  const { uploads, unsent } = useSession().media
  const input = useRef<HTMLInputElement>(null)
  const wanted = useRef<FileStub>(undefined)
  useEffect(() => {
    let shown: readonly FileStub[] | null = []
    const bubbleOf = ({ id, kind, caption, isOnce = false }: FileStub) => ({
      ...{ id, conversationId, messageType: kind, caption, previewUrl: null, width: 0, height: 0 },
      ...{ progress: 0, failure: null, delay: null, question: null, isLost: true, isOnce },
    })
    const choose = (stub: FileStub) => {
      wanted.current = stub
      if (input.current) openSystemPicker(input.current, { isCamera: false, isMultiple: false }, pickerGrace)
    }
    const discard = ({ id }: FileStub) => {
      if (uploads.isEnded()) return
      dropStub(unsent, id)
      uploads.remove(id)
    }
    const show = (found: readonly FileStub[]) => {
      if (shown === null || uploads.isEnded()) return
      // Without locks, a file that this page is sending counts as lost, too.
      shown = found.filter((stub) => !uploads.get().some(({ id }) => id === stub.id))
      for (const stub of shown)
        uploads.add({ ...bubbleOf(stub), retry: () => choose(stub), cancel: () => discard(stub) })
    }
    lostFiles(unsent, conversationId).then(show, () => undefined)
    return () => {
      for (const { id } of shown ?? []) uploads.remove(id)
      shown = null
    }
  }, [conversationId, pickerGrace, unsent, uploads])
  return (
    <FileInput
      ref={input}
      onFiles={(files) => {
        const { id, caption, isOnce } = wanted.current ?? {}
        const onSent = () =>
          uploads
            .get()
            .find((upload) => upload.id === id)
            ?.cancel()
        onFiles({ files, from: 'gallery', caption: caption ?? '', isOnce, onSent })
      }}
    />
  )
}
