import type { Guard } from './guard.ts'

/** What keeps a service that starts or stops from being noticed by those who ask it. */
export const stopGuards: readonly Guard[] = [
  {
    id: 'draining-first',
    invariant: 'A service that stops is not ended by an answer it gives at once',
    file: 'libs/service-kit/src/serve.ts',
    cut: 'server.prependListener(',
    leave: 'server.on(',
    test: { file: 'libs/service-kit/src/serve.test.ts', title: 'says so with an answer it gives at once' },
  },
  {
    id: 'say-draining',
    invariant: 'Whoever asks a service that stops is told to turn to another',
    file: 'libs/service-kit/src/serve.ts',
    cut: "response.setHeader(drainingHeader, 'yes')",
    leave: '',
    test: { file: 'libs/service-kit/src/serve.test.ts', title: 'says so with an answer it gives' },
  },
  {
    id: 'whoever-knocked',
    invariant: 'A service that stops lets in who had connected before',
    file: 'libs/service-kit/src/serve.ts',
    cut: 'await untilNobodyKnocks(server)',
    leave: '',
    test: { file: 'libs/service-kit/src/serve.test.ts', title: 'answers those who knocked' },
  },
  {
    id: 'read-before-closing',
    invariant: 'A service that stops answers what has come before it closes an idle connection',
    file: 'libs/service-kit/src/serve.ts',
    cut: 'const afterReading = setImmediate',
    leave: 'const afterReading = (close: () => void) => close()',
    test: { file: 'libs/service-kit/src/serve.test.ts', title: 'idle after it began to close' },
  },
  {
    id: 'migrations-again',
    invariant: 'A service starts although its database is away for a moment while it migrates',
    file: 'libs/service-kit/src/migrations.ts',
    cut: 'if (!isTransient(error) || performance.now() > giveUpAt) throw error',
    leave: 'throw error',
    test: {
      file: 'libs/service-kit/test/migrations.test.ts',
      title: 'tries again when the database went away',
    },
  },
  {
    id: 'next-replica',
    invariant: 'A call between services finds the replica that is there',
    file: 'libs/service-kit/src/internal-client.ts',
    cut: 'asked < asksAtMost',
    leave: 'asked < 1',
    test: {
      file: 'libs/service-kit/src/internal-client.test.ts',
      title: 'goes to the next replica when one is not there',
    },
  },
  {
    id: 'second-ask',
    invariant: 'A replica that stops costs no call between services, also behind one address',
    file: 'libs/service-kit/src/internal-client.ts',
    cut: 'Math.max(replicas.length, asksWhileUnheard)',
    leave: 'replicas.length',
    test: {
      file: 'libs/service-kit/src/internal-client.test.ts',
      title: 'is asked a second time when the connection breaks without an answer',
    },
  },
]
