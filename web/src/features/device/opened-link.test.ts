import { jest } from '@jest/globals'
import { takeOpenedLink, watchOpenedLinks } from './opened-link.ts'
import { page } from '../../../test/page.ts'

const visit = (address: string) => window.history.replaceState({ key: 'k' }, '', address)
afterEach(() => visit('/'))

it('the code of a link leaves the address bar at once, is in no storage, and is offered until it is forgotten', () => {
  visit('/#7KQ2-M9XD-3')
  const link = takeOpenedLink(page)
  expect(window.location.href).toBe('http://localhost/')
  expect(window.history.state).toEqual({ key: 'k' })
  expect(JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])).not.toContain('7KQ2')
  expect(link.code()).toBe('7KQ2-M9XD-3')
  // A page of an old release may replace itself before the number is typed.
  expect(page.addressFor('/')).toBe('/#7KQ2-M9XD-3')
  expect(page.addressFor('/settings')).toBe('/settings')
  link.forget()
  expect(link.code()).toBeNull()
  expect(page.addressFor('/')).toBe('/')
})

it('another fragment stays where it is', () => {
  visit('/#top')
  expect(takeOpenedLink(page).code()).toBeNull()
  expect(window.location.hash).toBe('#top')
})

it('a link that is opened in a tab with the app loads the page again, before the router sees the new address', () => {
  const reload = jest.spyOn(page, 'reload').mockReturnValue(undefined)
  watchOpenedLinks(page)
  const router = jest.fn()
  window.addEventListener('popstate', router)
  visit('/#7KQ2-M9XD-3')
  window.dispatchEvent(new PopStateEvent('popstate'))
  expect(reload).toHaveBeenCalledTimes(1)
  expect(router).not.toHaveBeenCalled()
  visit('/settings')
  window.dispatchEvent(new PopStateEvent('popstate'))
  expect(reload).toHaveBeenCalledTimes(1)
  expect(router).toHaveBeenCalledTimes(1)
  window.removeEventListener('popstate', router)
})
