const nothing = () => Promise.resolve()

/** Returns a connection for tests of rules that store nothing. Its transactions run their work and call `onCommit`. */
export const noDatabase = (onCommit: () => unknown = () => undefined) => ({
  startSession: () =>
    Promise.resolve({
      startTransaction: () => undefined,
      commitTransaction: () => Promise.resolve(onCommit()),
      abortTransaction: nothing,
      endSession: nothing,
    }),
})
