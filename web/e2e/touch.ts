import { expect } from '@playwright/test'
import type { Locator, Page } from '@playwright/test'

export interface Point {
  x: number
  y: number
}

export interface Stroke {
  from: Point
  /** Positive to the right. */
  byX?: number
  /** Positive downwards. */
  byY?: number
  seconds?: number
  /** Runs before the finger is lifted. */
  whileDown?: () => Promise<void>
}

const steps = 8

/** Returns the middle of an element. A message that was just stored is drawn anew, so the first look may find nothing. */
export async function middleOf(element: Locator): Promise<Point> {
  await expect.poll(() => element.boundingBox(), 'The element to touch is on the screen.').not.toBeNull()
  const box = (await element.boundingBox()) as { x: number; y: number; width: number; height: number }
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

/** Holds a finger in the middle of an element until `until` has settled. */
export async function holdByTouch(page: Page, over: Locator, until: () => Promise<void>): Promise<void> {
  const point = await middleOf(over)
  const session = await page.context().newCDPSession(page)
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
  await until()
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await session.detach()
}

/**
 * Makes a finger's stroke through the browser's input pipeline, so that `touch-action` and scrolling take part. The
 * stroke has its own timestamps, because on a busy machine the calls take longer than a swipe may.
 */
export const strokeByTouch = (page: Page, { byX = 0, byY = 0, ...stroke }: Stroke): Promise<void> =>
  moveFingers(page, { ...stroke, ways: [{ x: byX, y: byY }] })

/** Moves two fingers, which begin at one point, this far to the left and to the right. */
export const pinchByTouch = (page: Page, at: Point, byX: number): Promise<void> =>
  moveFingers(page, {
    from: at,
    ways: [
      { x: -byX, y: 0 },
      { x: byX, y: 0 },
    ],
  })

interface Fingers extends Pick<Stroke, 'from' | 'seconds' | 'whileDown'> {
  ways: readonly Point[]
}

async function moveFingers(page: Page, { from, ways, seconds = 0.25, whileDown }: Fingers): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const startedAt = Date.now() / 1000 - seconds
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', step: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      timestamp: startedAt + (seconds * step) / steps,
      touchPoints:
        type === 'touchEnd'
          ? []
          : ways.map(({ x, y }, id) => ({
              id,
              x: from.x + (x * step) / steps + id,
              y: from.y + (y * step) / steps,
            })),
    })
  await send('touchStart', 0)
  for (let step = 1; step <= steps; step += 1) await send('touchMove', step)
  await whileDown?.()
  await send('touchEnd', steps)
  await session.detach()
}
