import userEvent from '@testing-library/user-event'
import { FakeSound } from '../../../../test/fake-sound.ts'
import { offerCrypto } from '../../../../test/offer-crypto.ts'
import { png } from '../../../../test/picture-fixtures.ts'
import { act, render, screen, waitFor } from '../../../../test/render.tsx'
import { storeOf } from '../../../../test/store-of.ts'
import type { MediaInfo } from '../../sealed/media-info.ts'
import { sealMedia } from '../seal-media.ts'
import { MediaTile } from './MediaTile.tsx'
import type { OverviewItem } from './overview-item.ts'

offerCrypto()
let opened: number
let stored: Uint8Array<ArrayBuffer>

beforeEach(() => {
  opened = 0
  FakeSound.install()
})

const mediaUrl = '/api/objects/pQ7rT2vX9zB4dF6hJ8kM1nP3'
async function seal(messageType: 'image' | 'video' | 'voice', thumb: Blob | null = null): Promise<MediaInfo> {
  const side = messageType === 'voice' ? 0 : 4
  const info = { w: side, h: side, ...(messageType !== 'image' && { ms: 65_000 }) }
  const { file, media } = await sealMedia({ messageType, file: new Blob([sound]), thumb, info })
  stored = new Uint8Array(await file.arrayBuffer())
  return media
}
const sound = new Uint8Array(400)
sound.set(new TextEncoder().encode('ID3'))
const show = (change: Partial<OverviewItem>) => {
  const item: OverviewItem = {
    ...{ id: 'm1', type: 'image', mediaUrl, media: undefined, caption: '', sender: 'ben', refusal: null },
    atMs: Date.UTC(2026, 2, 3, 12),
    ...change,
  }
  return render(<MediaTile item={item} onOpen={() => (opened += 1)} />)
}
const picture = (container: HTMLElement) => container.querySelector('img')

it('a picture shows its thumbnail, of which alone the bytes are fetched, and releases it', async () => {
  const media = await seal('image', new Blob([png(4, 3)]))
  const { ranges } = storeOf(() => stored)
  const { container, unmount } = show({ media, caption: 'The cat' })
  await waitFor(() => expect(picture(container)?.src).toMatch(/^blob:/))
  expect(ranges).toHaveLength(1)
  expect(Number(ranges[0]?.split('-')[1])).toBeLessThan(stored.length - sound.length)
  await userEvent.click(screen.getByRole('button', { name: 'Open photo, from ben, 3 Mar 2026: The cat' }))
  expect(opened).toBe(1)
  expect(FakeSound.urls.size).toBe(1)
  unmount()
  expect(FakeSound.urls.size).toBe(0)
})

it('a picture without a thumbnail fetches nothing, and opens', async () => {
  const { ranges } = storeOf(() => stored)
  show({})
  await userEvent.click(screen.getByRole('button', { name: 'Open photo, from ben, 3 Mar 2026' }))
  expect(opened).toBe(1)
  expect(ranges).toEqual([])
})

it('a video shows its length', async () => {
  show({ type: 'video', media: await seal('video') })
  await userEvent.click(screen.getByRole('button', { name: 'Play video, 1:05, from ben, 3 Mar 2026' }))
  expect(screen.getByText('1:05')).toBeTruthy()
  expect(opened).toBe(1)
})

it.each([
  ['image', 404, 'This photo is no longer available'],
  ['video', 404, 'This video is no longer available'],
] as const)('a missing %s says so and cannot be opened', async (type, status, sentence) => {
  const media = await seal(type, new Blob([png(4, 3)]))
  storeOf(() => stored)
  globalThis.fetch = () => Promise.resolve(new Response('', { status }))
  show({ type, media })
  expect(await screen.findByText(sentence)).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})

it('a thumbnail that could not be loaded is tried again', async () => {
  const media = await seal('image', new Blob([png(4, 3)]))
  storeOf(() => stored)
  const { fetch } = globalThis
  globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'))
  const { container } = show({ media })
  const again = await screen.findByRole('button', { name: /This photo could not be loaded.*Try again/ })
  globalThis.fetch = fetch
  await userEvent.click(again)
  await waitFor(() => expect(picture(container)?.src).toMatch(/^blob:/))
  expect(opened).toBe(0)
})

it('media that cannot be read say why', () => {
  show({ refusal: 'Sealed with a former key' })
  expect(screen.getByText('Sealed with a former key')).toBeTruthy()
  expect(screen.queryByRole('button')).toBeNull()
})

it('a voice message plays in its tile, and stops with it', async () => {
  const media = await seal('voice')
  storeOf(() => stored)
  const { unmount } = show({ type: 'voice', media })
  expect(screen.getByText('1:05')).toBeTruthy()
  await userEvent.click(screen.getByRole('button', { name: /^Play voice message, 1:05/ }))
  await waitFor(() => expect(FakeSound.all).toHaveLength(1))
  const playing = FakeSound.all[0] as FakeSound
  await waitFor(() => expect(playing.paused).toBe(false))
  await userEvent.click(await screen.findByRole('button', { name: /^Pause voice message/ }))
  expect(playing.paused).toBe(true)
  act(unmount)
  expect(FakeSound.urls.size).toBe(0)
})
