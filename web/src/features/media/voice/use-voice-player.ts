import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { useSession } from '../../../page.ts'
import type { MediaSourceOf } from '../open-picture.ts'
import { createVoicePlayer } from './voice-player.ts'

/** Returns the player of a voice message and its state. It stops when its component leaves or the page is hidden. */
export function useVoicePlayer({ mediaUrl, media }: Pick<MediaSourceOf, 'mediaUrl' | 'media'>) {
  const io = useSession().media
  const player = useMemo(() => createVoicePlayer({ mediaUrl, media, io }, io), [mediaUrl, media, io])
  const state = useSyncExternalStore(player.subscribe, player.get)
  useEffect(() => {
    const onVisibility = () => {
      if (document.hidden) player.close()
    }
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      document.removeEventListener('visibilitychange', onVisibility)
      player.close()
    }
  }, [player])
  return { player, ...state }
}
