import type { Page } from '@playwright/test'
import type { Point } from './touch.ts'

// The product measures gestures by the timestamps of their events. These gestures have their own timestamps, because on
// a busy machine the calls take longer than a gesture may.

const escape = { key: 'Escape', code: 'Escape', windowsVirtualKeyCode: 27 }

/** Presses Escape twice within a fifth of a second. */
export async function pressEscapeTwice(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const startedAt = Date.now() / 1000 - 0.2
  for (const timestamp of [startedAt, startedAt + 0.1]) {
    await session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', timestamp, ...escape })
    await session.send('Input.dispatchKeyEvent', { type: 'keyUp', timestamp: timestamp + 0.05, ...escape })
  }
  await session.detach()
}

/** Drags the mouse to the right within a quarter of a second. */
export async function dragByMouse(page: Page, from: Point, byX: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const steps = 5
  const startedAt = Date.now() / 1000 - 0.25
  const send = (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', step: number) =>
    session.send('Input.dispatchMouseEvent', {
      ...{ type, button: 'left', buttons: type === 'mouseReleased' ? 0 : 1, clickCount: 1 },
      ...{ x: from.x + (byX * step) / steps, y: from.y + (2 * step) / steps },
      timestamp: startedAt + (0.25 * step) / steps,
    })
  await send('mousePressed', 0)
  for (let step = 1; step <= steps; step += 1) await send('mouseMoved', step)
  await send('mouseReleased', steps)
  await session.detach()
}
