import { useState } from 'react'
import { sentenceOf } from '../../api/base-api.ts'
import { page } from '../../shared/lib/page.ts'
import { Button } from '../../shared/ui/Button.tsx'
import { Dialog } from '../../shared/ui/Dialog.tsx'
import { DeleteIcon } from '../../shared/ui/icons.tsx'
import { Notice } from '../../shared/ui/Notice.tsx'
import { TipButton } from '../../shared/ui/TipButton.tsx'
import { useDeleteConversationMutation } from './messaging-api.ts'
import { useMessaging } from './messaging-context.ts'

/** Deletes the conversation for this person, after saying what that means. */
export function DeleteConversation({ id, name }: { id: string; name: string }) {
  const [remove, { isLoading }] = useDeleteConversationMutation()
  const { drafts } = useMessaging()
  const [isAsking, setIsAsking] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const confirm = async () => {
    setFailure(null)
    try {
      await remove(id).unwrap()
      drafts.set(id, '')
      // A new page: the messages leave the memory of this one.
      page.replace('/messaging')
    } catch (error) {
      setFailure(sentenceOf(error, 'Please try again.'))
    }
  }
  return (
    <>
      <TipButton label="Delete conversation" onClick={() => setIsAsking(true)}>
        <DeleteIcon />
      </TipButton>
      <Dialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title="Delete conversation"
        description={`All messages with ${name} are deleted for you, on all your devices. ${name} keeps them and is not told. The next message of either of you starts it again.`}
      >
        <div className="space-y-4">
          {failure && <Notice kind="error">{failure}</Notice>}
          <Button variant="danger" className="w-full" isBusy={isLoading} onClick={() => void confirm()}>
            Delete for me
          </Button>
          <Button variant="secondary" className="w-full" onClick={() => setIsAsking(false)}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </>
  )
}
