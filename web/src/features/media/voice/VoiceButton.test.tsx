import { act, fireEvent, render, screen } from '../../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { FakeMicrophone } from '../../../../test/fake-microphone.ts'
import { FakeSound } from '../../../../test/fake-sound.ts'
import { VoiceButton } from './VoiceButton.tsx'
import { media } from '../../../../test/page.ts'

const options = {
  ...{ conversationId: 'c', media, willSeal: () => Promise.resolve(false), send: () => Promise.resolve() },
}
let isRowHidden = false
const onRecording = (isOn: boolean) => (isRowHidden = isOn)
const show = () => render(<VoiceButton {...{ options, onRecording }} />)
const record = () => screen.getByRole('button', { name: 'Record a voice message' })

it('there is no button where a browser cannot record', () => {
  show()
  expect(screen.queryByRole('button')).toBeNull()
})

describe('with a microphone', () => {
  let microphone: FakeMicrophone
  beforeEach(() => {
    microphone = new FakeMicrophone()
    microphone.install()
  })

  it.each(['{Enter}', ' '])('D-20: the key "%s" records hands-free, and Escape discards', async (key) => {
    show()
    record().focus()
    await userEvent.keyboard(key)
    const send = await screen.findByRole('button', { name: 'Send' })
    expect(document.activeElement).toBe(send)
    expect(screen.getByRole('button', { name: 'Discard' })).toBeTruthy()
    expect(microphone.openDevices()).toEqual(['track', 'audio'])
    await userEvent.keyboard('{Escape}')
    expect(microphone.openDevices()).toEqual([])
    expect(document.activeElement).toBe(record())
  })

  // jsdom does not implement pointer events.
  const point = (type: string, clientX: number, clientY = 0, atMs?: number) => {
    const event = new MouseEvent(type, { bubbles: true, clientX, clientY })
    if (atMs !== undefined) Object.defineProperty(event, 'timeStamp', { value: atMs })
    fireEvent(record(), Object.assign(event, { pointerId: 1, isPrimary: true }))
  }
  let laterMs = 0
  /** Presses much later than before, so that this is not the second tap of a double tap. */
  const press = (clientX = 0) =>
    act(() => Promise.resolve(point('pointerdown', clientX, 0, performance.now() + (laterMs += 1000))))

  it.each([
    ['ltr', -90],
    ['rtl', 90],
  ])('in a page that is %s, a slide by %i pixels discards, and a key records again', async (dir, byX) => {
    show()
    // jsdom does not inherit the direction.
    record().style.direction = dir
    await press(200)
    expect(screen.getByText('‹ Slide to cancel')).toBeTruthy()
    point('pointermove', 200 - byX)
    expect(microphone.openDevices()).not.toEqual([])
    point('pointermove', 200 + byX)
    expect(microphone.openDevices()).toEqual([])
    record().focus()
    await userEvent.keyboard('{Enter}')
    expect(await screen.findByRole('button', { name: 'Send' })).toBeTruthy()
  })

  it('a press that is released elsewhere discards', async () => {
    show()
    await press()
    point('pointerup', 0, -200)
    expect(microphone.openDevices()).toEqual([])
  })

  it.each([
    ['the second tap of a double tap on what stood here before', 200, 10, false],
    ['a later tap', 400, 10, true],
    ['a tap elsewhere', 200, 60, true],
  ])('%s (after %i ms, at a distance of %i) opens the microphone: %s', async (_which, ms, px, isOpened) => {
    const atMs = performance.now() + (laterMs += 1000)
    const before = new MouseEvent('pointerdown', { bubbles: true, clientX: 100, clientY: 100 })
    Object.defineProperty(before, 'timeStamp', { value: atMs })
    fireEvent(document.body, before)
    show()
    await act(() => Promise.resolve(point('pointerdown', 100 - px, 100, atMs + ms)))
    expect(microphone.openDevices().length > 0).toBe(isOpened)
    point('pointerup', 100 - px, 100, atMs + ms + 50)
  })

  it('a press is not the swipe that leaves the chat', async () => {
    const outside: string[] = []
    render(
      <div onPointerDown={() => outside.push('swipe')}>
        <VoiceButton {...{ options, onRecording }} />
      </div>,
    )
    await press()
    expect(outside).toEqual([])
  })

  it('a recording pauses what plays', async () => {
    FakeSound.install()
    const sound = new Audio()
    await media.playback.play(sound)
    show()
    await press()
    expect(sound.paused).toBe(true)
  })

  it('a recording without a finger can be sent to be opened once, and the next one begins without that', async () => {
    show()
    const toggle = () => screen.findByRole('button', { name: 'View once' })
    for (let count = 0; count < 2; count += 1) {
      record().focus()
      await userEvent.keyboard('{Enter}')
      expect((await toggle()).getAttribute('aria-pressed')).toBe('false')
      await userEvent.click(await toggle())
      expect((await toggle()).getAttribute('aria-pressed')).toBe('true')
      expect(screen.getAllByText(/^It opens once\./).some((note) => !note.hidden)).toBe(true)
      await userEvent.keyboard('{Escape}')
    }
    await press()
    expect(screen.queryByRole('button', { name: 'View once' })).toBeNull()
  })

  it('leaving the chat turns the microphone off', async () => {
    const { unmount } = show()
    await press()
    expect(microphone.openDevices()).toEqual(['track', 'audio'])
    expect(isRowHidden).toBe(true)
    unmount()
    expect(microphone.openDevices()).toEqual([])
    expect(isRowHidden).toBe(false)
  })
})
