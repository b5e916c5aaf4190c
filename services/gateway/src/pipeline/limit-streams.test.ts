import { EventEmitter } from 'node:events'
import { jest } from '@jest/globals'
import { getObject, putObject } from '@sumlock/contracts/media-routes'
import { listConversations } from '@sumlock/contracts/messaging-routes'
import { systemClock } from '@sumlock/service-kit/clock'
import { limitStreams, uploadTimeMs } from './limit-streams.ts'
import { createStreamPermits } from './stream-permits.ts'
import type { UpstreamRequest } from './upstream-request.ts'

function setUp(bounds = { perPerson: 12, total: 9 }) {
  const counted: string[] = []
  const metrics = {
    refused: (reason: string) => void counted.push(reason),
    streamEnded: (reason: string) => void counted.push(reason),
  }
  const stage = limitStreams(createStreamPermits(bounds, systemClock()), metrics)
  const begin = (route: UpstreamRequest['route'], bytes = 0) => {
    const releases: (() => void)[] = []
    let isBroken = false
    const request = Object.assign(new EventEmitter(), {
      headers: { 'content-length': String(bytes) },
      socket: { bytesRead: 0, bytesWritten: 0 },
      readableLength: 0,
      destroy: () => undefined,
    })
    const upstream = {
      route,
      request,
      response: {
        destroy: () => (isBroken = true),
        set: (name: string, value: string) => counted.push(`${name}: ${value}`),
      },
      identity: { userId: 'u' },
      defer: (release: () => void) => releases.push(release),
    } as unknown as UpstreamRequest
    void stage(upstream)
    return {
      upstream,
      isBroken: () => isBroken,
      arrive: () => request.emit('end'),
      end: () => releases.forEach((release) => release()),
    }
  }
  return { begin, counted }
}

beforeEach(() => jest.useFakeTimers())
afterEach(() => jest.useRealTimers())

it('gives an upload of 60 MB 16 minutes, and one of 1,000 bytes half a minute', () => {
  expect(uploadTimeMs(60_000_000) / 60_000).toBeCloseTo(15.8, 1)
  expect(uploadTimeMs(1000) / 1000).toBeCloseTo(30, 1)
})

it('breaks off an upload after 30 s and the time of its length at 64 kB/s, and counts it', () => {
  const { begin, counted } = setUp()
  const upload = begin(putObject, 65_536 * 10)
  jest.advanceTimersByTime(39_999)
  expect(upload.isBroken()).toBe(false)
  jest.advanceTimersByTime(2)
  expect(upload.isBroken()).toBe(true)
  expect(counted).toEqual(['too-slow'])
})

it('lets an upload that has arrived wait for its answer', () => {
  const { begin } = setUp()
  const upload = begin(putObject, 1000)
  upload.arrive()
  jest.advanceTimersByTime(120_000)
  expect(upload.isBroken()).toBe(false)
})

it('gives a download and an upload that has ended no such time', () => {
  const { begin } = setUp()
  const download = begin(getObject)
  const upload = begin(putObject, 1000)
  upload.end()
  jest.advanceTimersByTime(3_600_000)
  expect([download.isBroken(), upload.isBroken()]).toEqual([false, false])
})

it('refuses with 429 and counts it when no other stream ends for the newcomer', () => {
  const { begin, counted } = setUp({ perPerson: 1, total: 9 })
  const first = begin(getObject)
  expect(() => begin(getObject)).toThrow('The service is busy.')
  expect(counted).toEqual(['no-permit', 'retry-after: 30'])
  first.end()
  begin(getObject)
})

it('says with a refusal when the first upload in flight will have ended', () => {
  const { begin, counted } = setUp({ perPerson: 2, total: 9 })
  begin(putObject, 1000)
  jest.advanceTimersByTime(20_000)
  begin(putObject, 1000)
  expect(() => begin(putObject, 1000)).toThrow('The service is busy.')
  expect(counted).toEqual(['no-permit', 'retry-after: 11'])
})

it('leaves other requests alone', () => {
  const { begin } = setUp({ perPerson: 0, total: 0 })
  expect(() => begin(listConversations)).not.toThrow()
})
