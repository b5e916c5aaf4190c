import type { Outbox } from '@sumlock/sync/outbox'
import { systemClock } from '@sumlock/sync/system-clock'
import { createVanishWatch } from '@sumlock/sync/vanishing'
import type { VanishWatch } from '@sumlock/sync/vanishing'
import { editsPart } from './edit-draft.ts'
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
  vanishing.add(editsPart(edits))
  edits.drafts.subscribe(vanishing.look)
  const events = ['visibilitychange', 'focus', 'pageshow']
  for (const name of events) window.addEventListener(name, vanishing.look, true)
  return {
    ...vanishing,
    close() {
      for (const name of events) window.removeEventListener(name, vanishing.look, true)
      vanishing.close()
    },
  }
}
