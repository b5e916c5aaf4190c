import { createListeners } from '@sumlock/sync/listeners'
import type { ChangedList, ConversationList, ListChange } from './conversation-list.ts'

/** The changes that happened during a fetch of the list; its answer may be older than they are. */
const recordings = new Set<ListChange[]>()
const uncertain = createListeners<[]>()

/** Calls back when the list has to be fetched again, because an event left a question open. */
export const onListUncertain = uncertain.add

/** Applies a change to the list, and to the answer of a fetch that is in flight. Without a list yet, it is uncertain. */
export function applyChange(
  change: ListChange,
  list: ConversationList | undefined,
): ConversationList | undefined {
  for (const recording of recordings) recording.push(change)
  const changed: ChangedList | undefined = list && change(list)
  if (!changed?.isCertain) uncertain.emit()
  return changed?.list
}

/** Begins to record the changes during a fetch; the result applies them to its answer, or ends the recording. */
export function recordChanges(): (fetched?: ConversationList) => ConversationList {
  const recording: ListChange[] = []
  recordings.add(recording)
  return (fetched = []) => {
    recordings.delete(recording)
    let list = fetched
    let isCertain = true
    for (const change of recording) {
      const changed = change(list)
      list = changed.list
      isCertain &&= changed.isCertain
    }
    if (!isCertain) uncertain.emit()
    return list
  }
}

/** Fetches the list again, because something beside its events may have changed it. */
export const listMayHaveChanged = (): void => uncertain.emit()
