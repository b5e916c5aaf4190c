import { addressFamilyOf, deviceOf } from './device.ts'

it.each([
  ['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'Firefox on Android'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Microsoft Edge on Windows',
  ],
  ['', 'Unknown device'],
  [undefined, 'Unknown device'],
])('names the device of %s in a few words', (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device)
})

it.each(['x'.repeat(100_000), '<script>alert(1)</script>', '('.repeat(500)])(
  'keeps the name of a made-up device short',
  (userAgent) => {
    expect(deviceOf(userAgent).length).toBeLessThan(90)
  },
)

it.each([
  ['203.0.113.7', 'IPv4'],
  ['::ffff:203.0.113.7', 'IPv4'],
  ['2001:db8::1', 'IPv6'],
])('the address %s is kept as %s only', (address, family) => {
  expect(addressFamilyOf(address)).toBe(family)
})
