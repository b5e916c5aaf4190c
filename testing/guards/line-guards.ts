import type { Guard } from './guard.ts'

/** Who may be under way to a service, and how the others wait. */
export const lineGuards: readonly Guard[] = [
  {
    id: 'waiting-counts',
    invariant: 'A service that hangs costs two seconds together with the wait for a place at it',
    file: 'services/gateway/src/proxy.ts',
    cut: 'const waitedMs = performance.now() - passageOf(response).startedAt',
    leave: 'const waitedMs = 0',
    test: { file: 'services/gateway/src/proxy.test.ts', title: 'that hangs costs two seconds' },
  },
  {
    id: 'places-each',
    invariant: 'A busy replica has so many requests as it can take in, and the next wait in order',
    file: 'services/gateway/src/domain/places.ts',
    cut: '(taken.get(url) ?? 0) < placesEach',
    leave: "url !== ''",
    test: { file: 'services/gateway/src/domain/places.test.ts', title: 'are so many at each replica' },
  },
  {
    id: 'nobody-passes',
    invariant: 'Nobody passes those who wait for a place at a service',
    file: 'services/gateway/src/domain/places.ts',
    cut: 'for (const enter of line) {',
    leave: 'for (const enter of [...line].reverse()) {',
    test: { file: 'services/gateway/src/domain/places.test.ts', title: 'are so many at each replica' },
  },
  {
    id: 'places-come-back',
    invariant: 'Who went away while waiting takes no place for ever',
    file: 'services/gateway/src/proxy.ts',
    cut: 'place.leave()',
    leave: '',
    test: { file: 'services/gateway/src/proxy.test.ts', title: 'none whose sender went away' },
  },
  {
    id: 'place-until-answered',
    invariant:
      'A service that has answered has its place free, however long the gateway takes for the answer',
    file: 'services/gateway/src/proxy.ts',
    cut: 'passageOf(response).place?.leave()',
    leave: '',
    test: { file: 'services/gateway/src/proxy.test.ts', title: 'takes no share of what the service serves' },
  },
  {
    id: 'connections-at-most',
    invariant: 'What services ask each other waits in order, and not at a busy door',
    file: 'libs/service-kit/src/http-exchange.ts',
    cut: ', maxSockets: connectionsAtMost',
    leave: '',
    test: { file: 'libs/service-kit/src/http-exchange.test.ts', title: 'is asked 64 times at once' },
  },
  {
    id: 'heard-while-waiting',
    invariant: 'A call between services that waits for a connection ends with its time',
    file: 'libs/service-kit/src/http-exchange.ts',
    cut: "signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })",
    leave: '',
    test: { file: 'libs/service-kit/src/http-exchange.test.ts', title: 'ends when its signal says so' },
  },
]
