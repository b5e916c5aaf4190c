import { forgetDevice, isDiscreetDevice, isKnownDevice, rememberDevice } from './known-device.ts'

afterEach(forgetDevice)

it('is known by the cookie that the server sets at sign-in, which also tells of discreet mode', () => {
  expect(isKnownDevice()).toBe(false)
  document.cookie = 'v=1; path=/'
  expect(isKnownDevice()).toBe(true)
  expect(isDiscreetDevice()).toBe(false)
  document.cookie = 'v=2; path=/'
  expect(isKnownDevice()).toBe(true)
  expect(isDiscreetDevice()).toBe(true)
})

it('is known by the mark of an earlier release, which the cookie replaces', () => {
  localStorage.setItem('calc.v', '1')
  expect(isKnownDevice()).toBe(true)
  rememberDevice()
  expect(document.cookie).toContain('v=1')
  expect(localStorage.getItem('calc.v')).toBeNull()
  expect(isKnownDevice()).toBe(true)
})

it('leaves the cookie of an account in discreet mode as it is', () => {
  document.cookie = 'v=2; path=/'
  rememberDevice()
  expect(isDiscreetDevice()).toBe(true)
})

it('is forgotten after a logout, with the former mark and what was unsent', () => {
  localStorage.setItem('calc.v', '1')
  document.cookie = 'v=1; path=/'
  localStorage.setItem('calc.m', 'sealed')
  localStorage.setItem('calc.n', 'sealed')
  forgetDevice()
  expect(isKnownDevice()).toBe(false)
  expect(document.cookie).toBe('')
  expect(localStorage).toHaveLength(0)
})
