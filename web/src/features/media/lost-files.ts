/** The store keeps this of a file that is not sent yet, because the file itself is only in memory. */
export interface FileStub {
  /** The message will have this id as its `clientMessageId`. */
  readonly id: string
  readonly conversationId: string
  readonly kind: 'image' | 'video' | 'voice'
  readonly caption: string
  /** The receiver can open the file once. */
  readonly isOnce?: boolean
}

interface WithFiles {
  readonly files?: readonly FileStub[]
}

/** Keeps stubs of files beside the unsent text, encrypted. */
export interface UnsentFiles {
  read: () => Promise<WithFiles>
  update: (change: <T extends WithFiles>(text: T) => T, part: string) => Promise<boolean>
}

const lockName = (id: string) => `calc.f ${id}`
const locksOf = () => navigator.locks as LockManager | undefined

/**
 * Stores a stub, and marks for the other tabs by a lock of the browser that this page still has the file. The returned
 * function ends the mark, and removes the stub once the file is sent or discarded.
 */
export function keepStub(unsent: UnsentFiles, stub: FileStub): (isDone: boolean) => void {
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  locksOf()
    ?.request(lockName(stub.id), () => held)
    .catch(() => undefined)
  replaceStub(unsent, stub.id, [stub])
  return (isDone) => {
    if (isDone) dropStub(unsent, stub.id)
    release()
  }
}

/** If the storage of the device fails, only the reminder is missing after a reload. */
function replaceStub(unsent: UnsentFiles, id: string, by: readonly FileStub[]): void {
  const others = (files: readonly FileStub[] = []) => files.filter((stub) => stub.id !== id)
  void unsent
    .update((text) => ({ ...text, files: [...others(text.files), ...by] }), `file ${id}`)
    .catch(() => undefined)
}

/** Returns the stubs of a conversation whose files no page has any more. */
export async function lostFiles(unsent: UnsentFiles, conversationId: string): Promise<FileStub[]> {
  const { files = [] } = await unsent.read()
  const own = files.filter((stub) => stub.conversationId === conversationId)
  const isLost = await Promise.all(own.map(({ id }) => isFree(lockName(id))))
  return own.filter((_stub, index) => isLost[index])
}

/** Removes the stub of a file that is lost. */
export const dropStub = (unsent: UnsentFiles, id: string): void => replaceStub(unsent, id, [])

async function isFree(name: string): Promise<boolean> {
  const locks = locksOf()
  if (!locks) return true
  return locks.request(name, { ifAvailable: true }, (lock) => lock !== null).catch(() => true)
}
