import { useEffect, useState } from 'react'
import { useSession } from '../../page.ts'
import { OnceViewer } from '../media/once/OnceViewer.tsx'
import { PictureViewer } from '../media/view/PictureViewer.tsx'
import type { ViewedPicture } from '../media/view/viewed-picture.ts'
import { picturesOf } from './pictures-of.ts'
import { useShownMessages } from './use-conversation.ts'

export interface ShownPictureProps {
  /** The id of the conversation. */
  id: string
  /** The name of the other person. */
  name: string
  /** The id of the message whose picture is shown first. */
  viewedId: string
}

/** Shows a picture or a message that opens once over the whole window. */
export function ShownPicture(props: ShownPictureProps) {
  const { viewed, late } = useSession().media
  const { messages } = useShownMessages(props.id).state
  // Whoever leaves the chat by Back must not find the viewer open on the return.
  useEffect(() => () => viewed.set(null), [viewed])
  const opening = late.once?.get(props.viewedId)
  if (!late.once || opening?.phase !== 'open') return <Pictures {...props} />
  return (
    <OnceViewer
      message={opening.message}
      once={late.once}
      isUnsent={messages.some(({ id, isUnsent }) => isUnsent && id === props.viewedId)}
      onClose={() => viewed.set(null)}
    />
  )
}

/** Shows the pictures of a conversation that are loaded when the viewer opens. */
function Pictures({ id, name, viewedId }: ShownPictureProps) {
  const { media, userId } = useSession()
  const { messages } = useShownMessages(id).state
  const [shownId, setShownId] = useState(viewedId)
  const [stage, setStage] = useState(() => stageOf(picturesOf(messages, { userId, name }), viewedId))
  const { viewed } = media
  const gone = new Set(messages.flatMap((one) => (one.isUnsent || one.isVanished ? [one.id] : [])))
  const left = stage.pictures.filter((picture) => !gone.has(picture.id))
  // The viewer holds the opened pictures. With a new stage it releases them, and opens the shown one again.
  if (left.length < stage.pictures.length) setStage(stageOf(left, shownId))
  const isShownGone = gone.has(shownId)
  useEffect(() => {
    if (isShownGone) viewed.set(null)
  }, [isShownGone, viewed])
  if (stage.startAt < 0 || isShownGone) return null
  return <PictureViewer {...stage} onShow={setShownId} onClose={() => viewed.set(null)} />
}

const stageOf = (pictures: readonly ViewedPicture[], shownId: string) => ({
  pictures,
  startAt: pictures.findIndex(({ id }) => id === shownId),
})
