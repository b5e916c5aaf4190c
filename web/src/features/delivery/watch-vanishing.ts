import type { Outbox } from '@sumlock/sync/outbox'
import { systemClock } from '@sumlock/sync/system-clock'
import { createVanishWatch } from '@sumlock/sync/vanishing'
import type { VanishWatch } from '@sumlock/sync/vanishing'
import { editsPart, learnEdit } from './edit-draft.ts'
import type { Edits } from './edit-draft.ts'

/**
 * Lets messages, acts that wait and begun edits vanish in time, and looks for them before a page that comes back is
 * painted. `nowMs` returns the time by the server's clock.
 */
export function watchVanishing(
  nowMs: () => number,
  { outbox, ...edits }: Edits & { outbox: Outbox },
): VanishWatch {
  const vanishing = createVanishWatch({ ...systemClock, nowMs }, outbox)
  const part = editsPart(edits)
  vanishing.add(part)
  const ends = [
    edits.drafts.subscribe(() => void part(nowMs())),
    outbox.onStored((message) => {
      learnEdit(edits, message)
      vanishing.look()
    }),
    ...onWake(vanishing.look),
  ]
  return {
    ...vanishing,
    close() {
      for (const end of ends) end()
      vanishing.close()
    },
  }
}

/** Calls back when the page is shown again. Returns functions that end this. */
const onWake = (look: () => void) =>
  (
    [
      [document, 'visibilitychange'],
      [window, 'focus'],
      [window, 'pageshow'],
    ] as const
  ).map(([target, name]) => {
    target.addEventListener(name, look)
    return () => target.removeEventListener(name, look)
  })
