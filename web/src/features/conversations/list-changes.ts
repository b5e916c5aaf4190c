import { createListeners } from '@sumlock/sync/listeners'
import type { ChangedList, ConversationList, ListChange } from './conversation-list.ts'

/** What happens to the list beside its fetches. */
export function createListChanges() {
  /** The changes that happened during a fetch of the list; its answer may be older than they are. */
  const recordings = new Set<ListChange[]>()
  const uncertain = createListeners<[]>()
  const counted = createListeners<[]>()
  return {
    /** Calls back when an own message may have used a free one. */
    onCounted: counted.add,
    mayHaveCounted: (): void => counted.emit(),
    /** Calls back when the list has to be fetched again, because an event left a question open. */
    onUncertain: uncertain.add,
    /** Fetches the list again, because something beside its events may have changed it. */
    mayHaveChanged: (): void => uncertain.emit(),
    /** Applies a change to the list, and to the answer of a fetch that is in flight. Without a list yet, it is uncertain. */
    apply(change: ListChange, list: ConversationList | undefined): ConversationList | undefined {
      for (const recording of recordings) recording.push(change)
      const changed: ChangedList | undefined = list && change(list)
      if (!changed?.isCertain) uncertain.emit()
      return changed?.list
    },
    /** Begins to record the changes during a fetch; the result applies them to its answer, or ends the recording. */
    record(): (fetched?: ConversationList) => ConversationList {
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
    },
  }
}

export type ListChanges = ReturnType<typeof createListChanges>
