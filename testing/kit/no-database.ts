const nothing = () => Promise.resolve()

/** A connection for tests of rules that store nothing: a transaction does its work and ends. */
export const noDatabase = (onCommit: () => unknown = () => undefined) => ({
  startSession: () =>
    Promise.resolve({
      startTransaction: () => undefined,
      commitTransaction: () => Promise.resolve(onCommit()),
      abortTransaction: nothing,
      endSession: nothing,
    }),
})
