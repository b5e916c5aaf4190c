import { act, render, screen, waitFor } from '../../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { FakeSound } from '../../../../test/fake-sound.ts'
import { offerCrypto } from '../../../../test/offer-crypto.ts'
import { sealMedia } from '../seal-media.ts'
import { toBars } from './loudness-bars.ts'
import { VoiceMessage } from './VoiceMessage.tsx'
import { busy } from '../../../../test/page.ts'

offerCrypto()
const url = '/api/objects/pQ7rT2vX9zB4dF6hJ8kM1nP3'
const mp3 = new Uint8Array(400)
mp3.set(new TextEncoder().encode('ID3'))
const real = globalThis.fetch
let stored: Uint8Array<ArrayBuffer>
let status: number
let isHidden = false
Object.defineProperty(document, 'hidden', { configurable: true, get: () => isHidden })

beforeEach(() => {
  isHidden = false
  status = 206
  stored = mp3
  FakeSound.install()
  globalThis.fetch = () =>
    Promise.resolve(
      new Response(stored, {
        status,
        headers: { 'content-range': `bytes 0-${stored.length - 1}/${stored.length}` },
      }),
    )
})
afterEach(() => {
  globalThis.fetch = real
})

/** A sealed voice message of twelve seconds. */
async function sealed(bytes = mp3) {
  const info = { w: 0, h: 0, ms: 12_000, bars: toBars([0.2, 0.4]) }
  const { file, media } = await sealMedia({
    ...{ messageType: 'voice', file: new Blob([bytes]), thumb: null, info },
  })
  stored = new Uint8Array(await file.arrayBuffer())
  return media
}
const place = () => screen.getByRole('slider', { name: 'Position' })
const placeText = () => place().getAttribute('aria-valuetext')
const play = (index = 0) =>
  userEvent.click(screen.getAllByRole('button', { name: 'Play' })[index] as HTMLElement)
/** Returns the playing sound once its file has arrived. */
const soundOf = async (count = 1) => {
  await waitFor(() => expect(FakeSound.all).toHaveLength(count))
  return FakeSound.all.at(-1) as FakeSound
}

it('arrow keys move by five seconds, Home and End to the ends, before and while it plays', async () => {
  render(<VoiceMessage mediaUrl={url} media={await sealed()} />)
  expect(placeText()).toBe('0:00 of 0:12')
  place().focus()
  await userEvent.keyboard('{ArrowRight}')
  expect(placeText()).toBe('0:05 of 0:12')
  await play()
  const sound = await soundOf()
  expect(sound.currentTime).toBe(5)
  await userEvent.keyboard('{ArrowRight}')
  place().focus()
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}')
  expect(sound.currentTime).toBe(0)
  await userEvent.keyboard('{End}')
  expect(placeText()).toBe('0:12 of 0:12')
  await userEvent.keyboard('{Home}')
  expect(sound.currentTime).toBe(0)
})

it('it shows what is heard, counts as activity while it plays, and begins again after its end', async () => {
  render(<VoiceMessage mediaUrl={url} media={await sealed()} />)
  await play()
  const sound = await soundOf()
  expect(busy.isBusy()).toBe(true)
  act(() => sound.moveTo(3.2))
  expect(placeText()).toBe('0:03 of 0:12')
  act(() => {
    sound.pause()
    sound.onended?.()
  })
  expect(placeText()).toBe('0:00 of 0:12')
  expect(busy.isBusy()).toBe(false)
})

it('only one plays at a time, and all share one speed', async () => {
  const media = await sealed()
  for (const each of [1, 2]) render(<VoiceMessage key={each} mediaUrl={url} media={media} />)
  await play(0)
  const first = await soundOf()
  await play(0)
  const second = await soundOf(2)
  expect(first.paused).toBe(true)
  const press = async (speed: string) =>
    userEvent.click(screen.getAllByRole('button', { name: `Speed ${speed}` })[0] as HTMLElement)
  await press('1×')
  expect(second.playbackRate).toBe(1.5)
  await press('1.5×')
  await userEvent.click(screen.getByRole('button', { name: 'Play' }))
  expect([first.playbackRate, second.paused]).toEqual([2, true])
  await press('2×')
  expect(screen.getAllByRole('button', { name: 'Speed 1×' })).toHaveLength(2)
})

it.each<[string, (unmount: () => void) => void]>([
  ['its chat is left', (unmount) => unmount()],
  [
    'the page is hidden',
    () => {
      isHidden = true
      document.dispatchEvent(new Event('visibilitychange'))
    },
  ],
])('when %s, it stops and nothing remains', async (_when, leave) => {
  const { unmount } = render(<VoiceMessage mediaUrl={url} media={await sealed()} />)
  await play()
  const sound = await soundOf()
  act(() => leave(unmount))
  isHidden = false
  expect(sound.paused).toBe(true)
  expect(sound.src).toBe('')
  expect(FakeSound.urls.size).toBe(0)
  expect(busy.isBusy()).toBe(false)
})

it('an unsealed file is played without a waveform, and the element gives its length', async () => {
  render(<VoiceMessage mediaUrl={url} media={undefined} />)
  expect(place().getAttribute('aria-disabled')).toBe('true')
  await play()
  const sound = await soundOf()
  act(() => {
    sound.duration = 65
    sound.ondurationchange?.()
  })
  expect(placeText()).toBe('0:00 of 1:05')
})

it.each<[string, () => void, string]>([
  ['is gone', () => (status = 404), 'This voice message is no longer available'],
  ['cannot be fetched', () => (status = 503), 'This voice message could not be loaded'],
  ['was changed', () => (stored[30] = (stored[30] as number) ^ 1), 'This voice message is damaged'],
])('a file that %s is told in a sentence', async (_what, change, sentence) => {
  const media = await sealed()
  change()
  render(<VoiceMessage mediaUrl={url} media={media} />)
  await play()
  expect(await screen.findByText(sentence)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Try again' }) === null).toBe(status === 404)
})

it('after a failure, another try plays', async () => {
  const media = await sealed()
  status = 503
  render(<VoiceMessage mediaUrl={url} media={media} />)
  await play()
  status = 206
  await userEvent.click(await screen.findByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('button', { name: 'Pause' })).toBeTruthy()
})

it.each([true, false])('a file that is not sound is not played, sealed: %s', async (isSealed) => {
  const page = new TextEncoder().encode('<html><script>alert(1)</script></html>')
  stored = page
  render(<VoiceMessage mediaUrl={url} media={isSealed ? await sealed(page) : undefined} />)
  await play()
  expect(await screen.findByText('This file can’t be shown (38 bytes)')).toBeTruthy()
  expect(FakeSound.all).toEqual([])
})

it.each([
  [3, 'This voice message is damaged'],
  [4, 'This browser cannot play this voice message'],
])('an error %i of the element is shown, and nothing remains', async (code, sentence) => {
  render(<VoiceMessage mediaUrl={url} media={await sealed()} />)
  await play()
  const sound = await soundOf()
  act(() => {
    sound.error = { code }
    sound.onerror?.()
  })
  expect(screen.getByText(sentence)).toBeTruthy()
  expect(FakeSound.urls.size).toBe(0)
})
