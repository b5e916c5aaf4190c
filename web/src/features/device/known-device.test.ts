import { isDiscreetDevice, isKnownDevice } from './known-device.ts'
import { forgetDevice, rememberDevice } from './remember-device.ts'

afterEach(forgetDevice)

it('a device is recognised by the cookie of the sign-in, which also states discreet mode', () => {
  expect(isKnownDevice()).toBe(false)
  document.cookie = 'v=1; path=/'
  expect(isKnownDevice()).toBe(true)
  expect(isDiscreetDevice()).toBe(false)
  document.cookie = 'v=2; path=/'
  expect(isKnownDevice()).toBe(true)
  expect(isDiscreetDevice()).toBe(true)
})

it('the device marker follows an account whose discreet mode was changed on another device', () => {
  document.cookie = 'v=1; path=/'
  rememberDevice(true)
  expect(isDiscreetDevice()).toBe(true)
  rememberDevice(true)
  expect(isDiscreetDevice()).toBe(true)
  rememberDevice(false)
  expect(isDiscreetDevice()).toBe(false)
  expect(isKnownDevice()).toBe(true)
})

it('a logout removes the device marker', () => {
  document.cookie = 'v=1; path=/'
  forgetDevice()
  expect(isKnownDevice()).toBe(false)
  expect(document.cookie).toBe('')
  expect(localStorage).toHaveLength(0)
})
