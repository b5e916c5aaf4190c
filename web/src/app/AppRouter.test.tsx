import { act, render, screen, waitFor } from '../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { Link, useLocation, useNavigate } from 'react-router-dom'
import { AppRouter } from './AppRouter.tsx'

function Place() {
  const { pathname, search, state } = useLocation()
  const navigate = useNavigate()
  return (
    <>
      <p data-testid="place">{pathname + search + JSON.stringify(state)}</p>
      <Link to="/settings">Settings</Link>
      <button onClick={() => void navigate('/messaging', { state: { from: 'list' } })}>Open</button>
      <button onClick={() => void navigate('/settings', { replace: true })}>Here</button>
    </>
  )
}

const open = (address: string, marker: '1' | '2') => {
  document.cookie = `v=${marker}`
  window.history.replaceState(null, '', address)
  render(
    <AppRouter>
      <Place />
    </AppRouter>,
  )
}
const place = () => screen.getByTestId('place').textContent
const click = (name: string) => userEvent.click(screen.getByText(name))

it('the router shows every address and goes back to it while discreet mode is off', async () => {
  open('/auth?a=1', '1')
  expect(place()).toBe('/auth?a=1null')
  await click('Open')
  expect(window.location.pathname).toBe('/messaging')
  expect(place()).toBe('/messaging{"from":"list"}')
  expect(window.history.state).toMatchObject({ usr: { from: 'list' } })
  window.history.back()
  await waitFor(() => expect(place()).toBe('/auth?a=1null'))
})

it('the router stays at / in discreet mode, in the address, in links and in the browser’s history', async () => {
  open('/messaging', '2')
  expect(place()).toBe('/messagingnull')
  expect(window.location.pathname).toBe('/')
  expect(screen.getByText('Settings').getAttribute('href')).toBe('/')
  await click('Settings')
  expect(place()).toBe('/settingsnull')
  await click('Open')
  expect(place()).toBe('/messaging{"from":"list"}')
  expect(window.location.pathname).toBe('/')
  expect(JSON.stringify(window.history.state)).not.toMatch(/messaging|list/)
  window.history.back()
  await waitFor(() => expect(place()).toBe('/settingsnull'))
})

it('the router clears the address when discreet mode is switched on, and shows it when it is switched off', async () => {
  open('/settings', '1')
  document.cookie = 'v=2'
  await click('Here')
  expect(window.location.pathname).toBe('/')
  expect(place()).toBe('/settingsnull')
  document.cookie = 'v=1'
  await click('Here')
  expect(window.location.pathname).toBe('/settings')
})

describe('an entry of the history that an earlier page has left', () => {
  const comeTo = (address: string) => {
    window.history.replaceState({ key: 'earlier', usr: null }, '', address)
    act(() => void window.dispatchEvent(new PopStateEvent('popstate')))
  }

  it.each(['/settings', '/messaging', '/auth'])('does not lead from the calculator back to %s', (address) => {
    open('/', '1')
    comeTo(address)
    expect(place()).toBe('/null')
    expect(window.location.pathname).toBe('/')
  })

  it('leads from one open screen to another, after a reload', () => {
    open('/messaging', '1')
    comeTo('/settings')
    expect(place()).toBe('/settingsnull')
    expect(window.location.pathname).toBe('/settings')
  })
})
