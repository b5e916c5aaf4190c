import { categoryOf, moduleOf, summarise } from './cpu-profile.ts'

const frame = (functionName: string, url = '', lineNumber = 0) => ({ functionName, url, lineNumber })
const root = 'file:///somewhere/sumlock'

it('gives each sample the time until the next, and leaves idle time out of the shares', () => {
  const summary = summarise({
    nodes: [
      { id: 1, callFrame: frame('(idle)') },
      { id: 2, callFrame: frame('writev') },
      { id: 3, callFrame: frame('serialize', `${root}/node_modules/bson/lib/bson.node.mjs`) },
      { id: 4, callFrame: frame('serialize', `${root}/node_modules/bson/lib/bson.node.mjs`) },
    ],
    samples: [1, 2, 3, 4, 1],
    timeDeltas: [999, 4000, 3000, 2000, 1000],
  })
  expect(summary).toMatchObject({
    seconds: 0.01,
    busyShare: 0.6,
    categories: [
      { name: 'socket writes', share: 0.5 },
      { name: 'bson', share: 0.5 },
    ],
    functions: [
      { name: 'writev · native', share: 0.5 },
      { name: 'serialize · bson', share: 0.5 },
    ],
  })
})

it.each([
  ['', '(garbage collector)', '(garbage collector)', 'garbage collection'],
  ['', '(program)', '(program)', 'inside Node and the kernel'],
  ['', 'writeUtf8String', 'native', 'socket writes'],
  ['', 'stringify', 'native', 'JSON'],
  ['', 'getpeername', 'native', 'other native calls'],
  ['node:internal/deps/undici/undici', 'fetch', 'node:internal/deps/undici/undici', 'fetch (undici in Node)'],
  ['node:_http_outgoing', '_storeHeader', 'node:_http_outgoing', 'Node HTTP'],
  ['node:internal/streams/writable', 'write', 'node:internal/streams/writable', 'Node streams and sockets'],
  ['node:buffer', 'concat', 'node:buffer', 'other Node'],
  [
    `${root}/node_modules/@socket.io/redis-adapter/dist/index.js`,
    'a',
    '@socket.io/redis-adapter',
    'Socket.IO',
  ],
  [`${root}/node_modules/x/node_modules/ws/lib/sender.js`, 'a', 'ws', 'Socket.IO'],
  [`${root}/node_modules/httpxy/dist/index.mjs`, 'a', 'httpxy', 'proxy'],
  [`${root}/node_modules/left-pad/index.js`, 'a', 'left-pad', 'other packages'],
  [
    `${root}/services/messaging/src/infrastructure/message-publisher.ts`,
    'a',
    'services/messaging/stores/announcer.ts',
    'our own code',
  ],
])('knows where %s %s belongs', (url, functionName, module, category) => {
  expect(moduleOf(frame(functionName, url))).toBe(module)
  expect(categoryOf(frame(functionName, url))).toBe(category)
})
