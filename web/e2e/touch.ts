import type { Locator, Page } from '@playwright/test'

export interface Point {
  x: number
  y: number
}

export interface Stroke {
  from: Point
  /** Positive to the right. */
  byX?: number
  /** Positive downward. */
  byY?: number
}

const steps = 8
const strokeSeconds = 0.25

export async function middleOf(element: Locator): Promise<Point> {
  const box = await element.boundingBox()
  if (!box) throw new Error('The element to touch is not on the screen.')
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
export async function strokeByTouch(page: Page, { from, byX = 0, byY = 0 }: Stroke): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const startedAt = Date.now() / 1000 - strokeSeconds
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', step: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      timestamp: startedAt + (strokeSeconds * step) / steps,
      touchPoints:
        type === 'touchEnd' ? [] : [{ x: from.x + (byX * step) / steps, y: from.y + (byY * step) / steps }],
    })
  await send('touchStart', 0)
  for (let step = 1; step <= steps; step += 1) await send('touchMove', step)
  await send('touchEnd', steps)
  await session.detach()
}
