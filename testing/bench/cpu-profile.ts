/** The parts of a .cpuprofile that are read here. */
export interface CpuProfile {
  nodes: { id: number; callFrame: CallFrame }[]
  /** Node ids, and the microseconds since the sample before. */
  samples: number[]
  timeDeltas: number[]
}

export interface CallFrame {
  functionName: string
  url: string
  lineNumber: number
}

export interface Share {
  name: string
  /** Of the time the process was busy, 0 to 1. */
  share: number
}

export interface ProfileSummary {
  seconds: number
  /** Share of the time in which the process did anything. */
  busyShare: number
  categories: Share[]
  modules: Share[]
  functions: Share[]
}

/** Self time by category, by module and by function, greatest first. */
export function summarise({ nodes, samples, timeDeltas }: CpuProfile): ProfileSummary {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const selfMicroseconds = new Map<CallFrame, number>()
  let total = 0
  samples.forEach((id, index) => {
    const frame = frames.get(id)
    // A sample stands for the time until the next one.
    const delta = Math.max(0, timeDeltas[index + 1] ?? 0)
    total += delta
    if (frame) selfMicroseconds.set(frame, (selfMicroseconds.get(frame) ?? 0) + delta)
  })
  const busy = [...selfMicroseconds].filter(([{ functionName }]) => functionName !== '(idle)')
  const busyTotal = busy.reduce((sum, [, self]) => sum + self, 0)
  const by = (nameOf: (frame: CallFrame) => string): Share[] => {
    const sums = new Map<string, number>()
    for (const [frame, self] of busy) sums.set(nameOf(frame), (sums.get(nameOf(frame)) ?? 0) + self)
    return [...sums]
      .map(([name, self]) => ({ name, share: self / busyTotal }))
      .sort((left, right) => right.share - left.share)
  }
  return {
    seconds: total / 1e6,
    busyShare: total > 0 ? busyTotal / total : 0,
    categories: by(categoryOf),
    modules: by(moduleOf),
    functions: by(functionOf),
  }
}

/** The package, part of Node or file of ours that a function belongs to. */
export function moduleOf({ url, functionName }: CallFrame): string {
  if (url === '') return functionName.startsWith('(') ? functionName : 'native'
  if (url.startsWith('node:')) return url
  const packages = url.split('/node_modules/')
  if (packages.length > 1) {
    const [scope = '', name = ''] = (packages.at(-1) as string).split('/')
    return scope.startsWith('@') ? `${scope}/${name}` : scope
  }
  return /\/((?:libs|services)\/.*)$/.exec(url)?.[1]?.replace('/src/', '/') ?? url
}

const functionOf = (frame: CallFrame): string =>
  moduleOf(frame).startsWith('(')
    ? frame.functionName
    : `${frame.functionName || `(anonymous, line ${frame.lineNumber + 1})`} · ${moduleOf(frame)}`

const byPackage: readonly (readonly [string, RegExp])[] = [
  ['bson', /^bson$/],
  ['MongoDB driver', /^(mongodb|mongoose|mongodb-connection-string-url)$/],
  ['Kafka client', /^kafkajs$/],
  ['Redis client', /^(ioredis|@ioredis\/.*|redis-parser|redis-errors|standard-as-callback)$/],
  ['Socket.IO', /^(socket\.io.*|engine\.io.*|@socket\.io\/.*|ws|notepack\.io)$/],
  ['proxy', /^(http-proxy.*|httpxy)$/],
  [
    'Express',
    /^(express|router|finalhandler|path-to-regexp|send|on-finished|ee-first|content-type|type-is|mime-.*|proxy-addr|forwarded|ipaddr\.js|parseurl|vary|fresh|etag|accepts|negotiator|encodeurl|escape-html|statuses|depd|merge-descriptors|cookie.*|content-disposition|range-parser|qs|bytes|body-parser|raw-body|media-typer)$/,
  ],
  ['zod', /^zod$/],
  ['tokens', /^(jsonwebtoken|jws|jwa|ecdsa-sig-formatter|buffer-equal-constant-time|safe-buffer)$/],
  ['logging', /^(pino.*|@pinojs\/.*|sonic-boom|thread-stream|quick-format-unescaped|safe-stable-stringify)$/],
  ['metrics and tracing', /^(prom-client|tdigest|bintrees|@opentelemetry\/.*)$/],
  ['CSRF and rate limits', /^(csrf-csrf|rate-limiter-flexible|http-errors)$/],
]

const byNode: readonly (readonly [string, RegExp])[] = [
  ['fetch (undici in Node)', /undici/],
  ['Node HTTP', /^node:(_http_|internal\/http|http)/],
  ['Node streams and sockets', /^node:(net|internal\/(streams|stream_base|net)|stream|events|_stream)/],
  [
    'Node timers, promises, async context',
    /^node:(internal\/(timers|process|async_|promise|abort)|timers|async_hooks|diagnostics_channel)/,
  ],
  ['crypto', /^node:(internal\/crypto|crypto)/],
]

const socketWrite =
  /^(writev|write|writeBuffer|writeUtf8String|writeLatin1String|writeAsciiString|writeUcs2String|shutdown)$/
const cryptoCall = /^(verify|sign|oneShotDigest|hash|run|update|digest|KeyObjectHandle|Hmac|Hash)$/

/** What the time went into, in the words of an engineer. */
export function categoryOf(frame: CallFrame): string {
  const { url, functionName } = frame
  if (functionName === '(garbage collector)') return 'garbage collection'
  if (functionName === '(program)') return 'inside Node and the kernel'
  if (url === '') {
    if (socketWrite.test(functionName)) return 'socket writes'
    if (functionName === 'parse' || functionName === 'stringify') return 'JSON'
    return cryptoCall.test(functionName) ? 'crypto' : 'other native calls'
  }
  const module = moduleOf(frame)
  if (module.startsWith('node:')) return byNode.find(([, is]) => is.test(module))?.[0] ?? 'other Node'
  if (/^(libs|services)\//.test(module)) return 'our own code'
  return byPackage.find(([, is]) => is.test(module))?.[0] ?? 'other packages'
}
