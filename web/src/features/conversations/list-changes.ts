import { createListeners } from '@sumlock/sync/listeners'
import type { ChangedList, ConversationList, ListChange } from './conversation-list.ts'

/** Applies changes to the list between its fetches. */
export function createListChanges() {
  /** Each running fetch of the list has a recording of the changes since its start, which its answer may lack. */
  const recordings = new Set<ListChange[]>()
  const uncertain = createListeners<[]>()
  const counted = createListeners<[]>()
  return {
    /** Calls back when an own message may have used up a free message. */
    onCounted: counted.add,
    mayHaveCounted: (): void => counted.emit(),
    /** Calls back when the list has to be fetched again, because an event could not be applied completely. */
    onUncertain: uncertain.add,
    /** Requests a new fetch of the list after a change that no event describes completely. */
    mayHaveChanged: (): void => uncertain.emit(),
    /**
     * Applies a change to the list, and later to the answers of running fetches. Without a list the change is
     * uncertain.
     */
    apply(change: ListChange, list: ConversationList | undefined): ConversationList | undefined {
      for (const recording of recordings) recording.push(change)
      const changed: ChangedList | undefined = list && change(list)
      if (!changed?.isCertain) uncertain.emit()
      return changed?.list
    },
    /**
     * Records the changes during a fetch. The returned function ends the recording and returns the fetched list with
     * these changes.
     */
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
