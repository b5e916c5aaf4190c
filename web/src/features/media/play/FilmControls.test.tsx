import { act, fireEvent, render, screen } from '../../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { FilmControls } from './FilmControls.tsx'
import { pressKey } from './film-keys.ts'

/** A media element that has a minute of film and can play it at once. */
function film() {
  const video = document.createElement('video')
  let paused = true
  const set = (isPaused: boolean) => {
    paused = isPaused
    video.dispatchEvent(new Event(isPaused ? 'pause' : 'play'))
  }
  Object.defineProperties(video, {
    duration: { value: 60 },
    paused: { get: () => paused },
    play: { value: () => Promise.resolve(set(false)) },
    pause: { value: () => set(true) },
  })
  return video
}
const button = (name: string) => screen.getByRole('button', { name })

it('a film is played, paused and silenced by buttons that say what they do', async () => {
  const video = film()
  render(<FilmControls video={video} isSilent={false} />)
  await userEvent.click(button('Play'))
  expect(video.paused).toBe(false)
  await userEvent.click(button('Pause'))
  expect(video.paused).toBe(true)
  await userEvent.click(button('Sound off'))
  expect(video.muted).toBe(true)
  act(() => void video.dispatchEvent(new Event('volumechange')))
  await userEvent.click(button('Sound on'))
  expect(video.muted).toBe(false)
})

it('a slider shows and changes its position', () => {
  const video = film()
  render(<FilmControls video={video} isSilent={false} />)
  const slider = screen.getByRole('slider', { name: 'Position' })
  fireEvent.change(slider, { target: { value: '42' } })
  expect(video.currentTime).toBe(42)
  act(() => void video.dispatchEvent(new Event('timeupdate')))
  expect(slider.getAttribute('aria-valuetext')).toBe('0:42 of 1:00')
  // Jumping to the end would end the film.
  fireEvent.change(slider, { target: { value: '60' } })
  expect(video.currentTime).toBeLessThan(60)
})

it('a film whose sound cannot be played says so, and offers no button for it', () => {
  render(<FilmControls video={film()} isSilent />)
  expect(screen.getByRole('status').textContent).toBe('This browser cannot play the sound of this video')
  expect(screen.queryByRole('button', { name: 'Sound off' })).toBeNull()
})

it('keys play and move a film, and keys of a control are left to it', () => {
  const video = film()
  expect(pressKey(video, ' ', document.body)).toBe(true)
  expect(video.paused).toBe(false)
  expect(pressKey(video, 'ArrowRight', document.body)).toBe(true)
  expect(video.currentTime).toBe(5)
  pressKey(video, 'ArrowLeft', document.body)
  pressKey(video, 'ArrowLeft', document.body)
  expect(video.currentTime).toBe(0)
  pressKey(video, 'm', document.body)
  expect(video.muted).toBe(true)
  expect(pressKey(video, ' ', document.createElement('button'))).toBe(false)
  expect(pressKey(video, 'ArrowRight', document.createElement('input'))).toBe(false)
  expect(pressKey(video, 'x', document.body)).toBe(false)
})
