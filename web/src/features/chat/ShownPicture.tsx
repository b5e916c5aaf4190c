import { useEffect, useState } from 'react'
import { useSession } from '../../page.ts'
import { PictureViewer } from '../media/view/PictureViewer.tsx'
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

/** Shows the pictures of a conversation that are loaded when the viewer opens. */
export function ShownPicture({ id, name, viewedId }: ShownPictureProps) {
  const { media, userId } = useSession()
  const { messages } = useShownMessages(id).state
  const [pictures] = useState(() => picturesOf(messages, { userId, name }))
  const startAt = pictures.findIndex((picture) => picture.id === viewedId)
  const { viewed } = media
  // Whoever leaves the chat by Back must not find the viewer open on the return.
  useEffect(() => () => viewed.set(null), [viewed])
  const isOneGone = messages.some(
    ({ id: ofMessage, isUnsent, isVanished }) =>
      (isUnsent || isVanished) && pictures.some((picture) => picture.id === ofMessage),
  )
  // The viewer holds the opened pictures, and closing it releases them.
  useEffect(() => {
    if (isOneGone) viewed.set(null)
  }, [isOneGone, viewed])
  if (startAt < 0 || isOneGone) return null
  return <PictureViewer pictures={pictures} startAt={startAt} onClose={() => viewed.set(null)} />
}
