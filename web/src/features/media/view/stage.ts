import PhotoSwipe from 'photoswipe'
import type { SlideData, ZoomLevelOption } from 'photoswipe'
import 'photoswipe/style.css'

export interface StageOptions {
  place: HTMLElement
  count: number
  startAt: number
  onMove: (index: number) => void
  onClose: () => void
}

export interface StagePicture {
  url: string
  width: number
  height: number
  alt: string
}

type ZoomLevels = Parameters<Extract<ZoomLevelOption, (levels: never) => number>>[0]

/**
 * A picture is long if one side is this many times the other, both on its own and compared with the shape of the
 * window. Text in it could not be read if the whole picture were fitted into the window.
 */
const longRatio = 2.5

/** Returns the zoom level at which a long picture fills the window with its shorter side; undefined for others. */
function levelOfLong({
  elementSize,
  panAreaSize,
}: ZoomLevels): { side: 'tall' | 'wide'; level: number } | undefined {
  if (!elementSize?.x || !panAreaSize) return undefined
  const shape = elementSize.y / elementSize.x
  const beside = (shape * panAreaSize.x) / panAreaSize.y
  if (Math.min(shape, beside) >= longRatio) return { side: 'tall', level: panAreaSize.x / elementSize.x }
  if (Math.max(shape, beside) <= 1 / longRatio) return { side: 'wide', level: panAreaSize.y / elementSize.y }
  return undefined
}

/**
 * Shows pictures side by side, over the whole window. A picture starts as a whole; a tall one starts at the width of
 * the window. There a stroke to the side is left to the flight, and when the picture is zoomed it moves the picture.
 */
export function openStage({ place, count, startAt, onMove, onClose }: StageOptions) {
  const slides: SlideData[] = Array.from({ length: count }, () => ({}))
  const stage = new PhotoSwipe({
    dataSource: slides,
    index: startAt,
    appendToEl: place,
    ...{ loop: false, trapFocus: false, returnFocus: false, allowPanToNext: false, preload: [0, 0] },
    ...{ arrowPrev: false, arrowNext: false, zoom: false, close: false, counter: false },
    ...{ bgOpacity: 1, showHideAnimationType: 'none', zoomAnimationDuration: 240 },
    ...{ imageClickAction: 'zoom', tapAction: false, doubleTapAction: 'zoom' },
    initialZoomLevel: (levels) => {
      const long = levelOfLong(levels)
      return long?.side === 'tall' ? long.level : levels.fit
    },
    secondaryZoomLevel: (levels) => Math.max(levels.initial * 2, levelOfLong(levels)?.level ?? 0),
    maxZoomLevel: ({ initial }) => Math.max(1, initial * 4),
  })
  const { mainScroll, gestures } = stage
  const moveTo = mainScroll.moveTo.bind(mainScroll)
  // Only the buttons and keys move the row of pictures. A finger that moves sideways flees.
  mainScroll.moveTo = (x, isDragged) => {
    if (!isDragged) moveTo(x)
  }
  // The viewer handles all keys itself.
  stage.on('keydown', (event) => event.preventDefault())
  // A tall picture starts with its upper end.
  stage.on('initialZoomPan', ({ slide }) => {
    slide.pan.y = slide.bounds.min.y
  })
  const isZoomed = () => {
    const { currZoomLevel = 0, zoomLevels } = stage.currSlide ?? {}
    return currZoomLevel > (zoomLevels?.initial ?? 0) * 1.001
  }
  const markStrokes = () => {
    if (isZoomed()) stage.element?.setAttribute('data-swipe', 'own')
    else stage.element?.removeAttribute('data-swipe')
  }
  // The bounds change with the zoom level, before an animation shows it.
  stage.on('calcBounds', markStrokes)
  stage.on('zoomPanUpdate', ({ slide }) => {
    markStrokes()
    if (isZoomed() || !gestures.isDragging || slide.pan.x === slide.bounds.center.x) return
    slide.pan.x = slide.bounds.center.x
    slide.applyCurrentZoomPan()
  })
  stage.init()
  // The dialog around the stage has the role, the name and the focus.
  for (const name of ['role', 'tabindex']) stage.element?.removeAttribute(name)
  stage.scrollWrap?.removeAttribute('aria-roledescription')
  // The ring of the focus is painted above the picture.
  stage.element?.style.setProperty('z-index', '-1')
  stage.on('change', () => onMove(stage.currIndex))
  stage.on('close', onClose)

  return {
    isZoomed,
    show: (index: number, picture: StagePicture | null): void => {
      slides[index] = picture ? slideOf(picture, stage.viewportSize) : {}
      stage.refreshSlideContent(index)
    },
    goBy: (by: 1 | -1): void => stage.goTo(stage.currIndex + by),
    zoomBy: (factor: number): void => {
      const { currSlide, options } = stage
      currSlide?.zoomTo(currSlide.currZoomLevel * factor, undefined, options.zoomAnimationDuration)
    },
    panBy: (x: number, y: number): void => {
      const { currSlide } = stage
      currSlide?.panTo(currSlide.pan.x + x, currSlide.pan.y + y)
    },
    /** Removes everything at once. */
    destroy: (): void => {
      stage.off('close', onClose)
      // The first call only begins to close.
      if (!stage.isDestroying) stage.destroy()
      stage.destroy()
    },
  }
}

export type Stage = ReturnType<typeof openStage>

/** PhotoSwipe never enlarges a picture at rest, so a small one is declared as large as the window allows. */
function slideOf({ url, width, height, alt }: StagePicture, window: { x: number; y: number }): SlideData {
  const scale = Math.max(1, Math.min(window.x / width, window.y / height))
  return { src: url, width: width * scale, height: height * scale, alt }
}
