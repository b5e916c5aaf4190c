import { useState } from 'react'
import { useSession } from '../../../page.ts'
import { Button } from '../../../shared/ui/Button.tsx'
import { Dialog } from '../../../shared/ui/Dialog.tsx'
import { SaveIcon } from '../../../shared/ui/icons.tsx'
import { saveBlob } from '../../device/save-file.ts'

const save = (blob: Blob) => saveBlob(`photo.${blob.type.replace('image/', '').replace('jpeg', 'jpg')}`, blob)

/** Saves the shown picture. The first time after an unlock, the person reads before that where the copy lies. */
export function SavePicture({ blob }: { blob: Blob | null }) {
  const { viewed } = useSession().media
  const [isAsking, setIsAsking] = useState(false)
  const onSave = () => {
    if (!blob) return
    if (viewed.isTold()) save(blob)
    else setIsAsking(true)
  }
  return (
    <>
      <button
        type="button"
        aria-label="Save photo"
        aria-disabled={!blob}
        onClick={onSave}
        className="absolute top-[max(0.75rem,env(safe-area-inset-top))] right-17 inline-flex size-12 items-center justify-center rounded-full bg-black/60"
      >
        <SaveIcon />
      </button>
      <Dialog
        open={isAsking && blob !== null}
        onOpenChange={setIsAsking}
        title="Save this photo?"
        description="The copy lies outside of the lock: whoever can open the files of this device can see it."
      >
        <Button
          className="w-full"
          onClick={() => {
            viewed.tell()
            setIsAsking(false)
            if (blob) save(blob)
          }}
        >
          Save
        </Button>
      </Dialog>
    </>
  )
}
