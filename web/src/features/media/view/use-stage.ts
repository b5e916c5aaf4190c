import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSession } from '../../../page.ts'
import { createOpenedPictures } from './opened-pictures.ts'
import type { ViewedState } from './opened-pictures.ts'
import { openStage } from './stage.ts'
import type { Stage } from './stage.ts'
import type { ViewedPicture } from './viewed-picture.ts'

interface Shown {
  index: number
  state: ViewedState
}

export interface StageControls extends Pick<Stage, 'isZoomed' | 'goBy' | 'zoomBy' | 'panBy'> {
  retry: () => void
}

/** Shows pictures in an element, beginning with one of them, until the component is removed. */
export function useStage(
  pictures: readonly ViewedPicture[],
  startAt: number,
  { onShow, onClose }: { onShow?: ((id: string) => void) | undefined; onClose: () => void },
) {
  const io = useSession().media
  const place = useRef<HTMLDivElement>(null)
  const controls = useRef<StageControls>(null)
  const [shown, setShown] = useState<Shown>({ index: startAt, state: { state: 'loading' } })
  const close = useEffectEvent(onClose)
  const showed = useEffectEvent((index: number) => onShow?.(pictures[index]?.id ?? ''))

  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    let index = startAt
    const opened = createOpenedPictures(
      pictures.map(({ mediaUrl, media }) => ({ mediaUrl, media, io })),
      (changed) => {
        const state = opened.stateOf(changed)
        const alt = pictures[changed]?.caption || 'Photo'
        stage.show(changed, state.state === 'open' ? { ...state, alt } : null)
        if (changed === index) setShown({ index, state })
      },
    )
    const stage = openStage({
      place: element,
      count: pictures.length,
      startAt,
      onMove: (to) => {
        if (to === index) return
        const by = to > index ? 1 : -1
        index = to
        showed(index)
        void opened.show(index, by)
        setShown({ index, state: opened.stateOf(index) })
      },
      onClose: () => close(),
    })
    setShown({ index, state: opened.stateOf(index) })
    void opened.show(index, 1)
    controls.current = { ...stage, retry: () => opened.retry(index) }
    return () => {
      controls.current = null
      stage.destroy()
      opened.close()
    }
  }, [pictures, startAt, io])

  return { place, controls, ...shown }
}
