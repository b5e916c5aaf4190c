import { png } from '../../../../test/picture-fixtures.ts'
import { createOpenedPictures } from './opened-pictures.ts'

const sources = [0, 1, 2, 3].map((name) => ({ mediaUrl: `/api/objects/${name}`, media: undefined }))
const real = globalThis.fetch
let asked: string[]
let live: Set<string>
let missing: Set<string>
let hold: Promise<void> | undefined

beforeEach(() => {
  asked = []
  live = new Set()
  missing = new Set()
  hold = undefined
  let made = 0
  URL.createObjectURL = () => {
    const url = `blob:${made++}`
    live.add(url)
    return url
  }
  URL.revokeObjectURL = (url) => void live.delete(url)
  HTMLImageElement.prototype.decode = () => Promise.resolve()
  globalThis.fetch = async (url, init) => {
    asked.push((url as string).slice(-1))
    await hold
    init?.signal?.throwIfAborted()
    return missing.has((url as string).slice(-1))
      ? new Response('', { status: 404 })
      : new Response(png(4, 3))
  }
})
afterEach(() => {
  globalThis.fetch = real
})

it('opens the shown picture first, and then the next one alone', async () => {
  const changed: number[] = []
  const opened = createOpenedPictures(sources, (index) => changed.push(index))
  await opened.show(1, 1)
  expect(asked).toEqual(['1', '2'])
  expect(changed).toEqual([1, 2])
  expect(opened.stateOf(2).state).toBe('open')
  expect(opened.stateOf(0).state).toBe('loading')
})

it('opens the neighbour in the direction in which the person moves', async () => {
  const opened = createOpenedPictures(sources, () => undefined)
  await opened.show(3, 1)
  expect(asked).toEqual(['3', '2'])
  await opened.show(2, -1)
  expect(asked).toEqual(['3', '2', '1'])
})

it('opens no neighbour of a picture that the person has left', async () => {
  let release: () => void = () => undefined
  hold = new Promise((resolve) => (release = resolve))
  const opened = createOpenedPictures(sources, () => undefined)
  const first = opened.show(0, 1)
  const second = opened.show(3, -1)
  release()
  await Promise.all([first, second])
  expect(asked).toEqual(['0', '3', '2'])
})

it('releases the pictures that are further away than a neighbour, and all of them at the end', async () => {
  const opened = createOpenedPictures(sources, () => undefined)
  await opened.show(0, 1)
  await opened.show(1, 1)
  expect(live.size).toBe(3)
  await opened.show(2, 1)
  expect(opened.stateOf(0).state).toBe('loading')
  expect(live.size).toBe(3)
  opened.close()
  expect(live.size).toBe(0)
})

it('keeps nothing of a picture that arrives after the end', async () => {
  let release: () => void = () => undefined
  HTMLImageElement.prototype.decode = () => new Promise((resolve) => (release = resolve))
  const changed: number[] = []
  const opened = createOpenedPictures(sources, (index) => changed.push(index))
  const shown = opened.show(0, 1)
  while (live.size === 0) await new Promise((resolve) => setTimeout(resolve))
  opened.close()
  release()
  await shown
  expect(live.size).toBe(0)
  expect(changed).toEqual([])
  expect(asked).toEqual(['0'])
})

it('says why a picture cannot be shown, and opens it at another try', async () => {
  missing.add('0')
  const opened = createOpenedPictures(sources, () => undefined)
  await opened.show(0, 1)
  expect(opened.stateOf(0)).toMatchObject({ state: 'failed', sentence: 'This photo is no longer available' })
  missing.clear()
  opened.retry(0)
  await opened.show(0, 1)
  expect(opened.stateOf(0).state).toBe('open')
})

it('tries a neighbour that failed ahead again once it is shown', async () => {
  missing.add('1')
  const opened = createOpenedPictures(sources, () => undefined)
  await opened.show(0, 1)
  missing.clear()
  await opened.show(1, 1)
  expect(opened.stateOf(1).state).toBe('open')
})

it('calls a picture damaged that the browser cannot decode, and releases it', async () => {
  HTMLImageElement.prototype.decode = () => Promise.reject(new DOMException('', 'EncodingError'))
  const opened = createOpenedPictures(sources.slice(0, 1), () => undefined)
  await opened.show(0, 1)
  expect(opened.stateOf(0)).toMatchObject({ state: 'failed', sentence: 'This photo is damaged' })
  expect(live.size).toBe(0)
})
