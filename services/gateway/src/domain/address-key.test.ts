import { addressKey } from './address-key.ts'

it.each([
  ['an IPv4 address', '192.0.2.1', '192.0.2.1'],
  ['an IPv4 address in IPv6 notation', '::ffff:192.0.2.1', '192.0.2.1'],
  ['a full IPv6 address', '2001:0db8:0001:0002:0003:0004:0005:0006', '2001:db8:1:2::/64'],
  ['a short IPv6 address', '2001:db8::6', '2001:db8:0:0::/64'],
  ['zeros in its network part', '2001::4:5:6:7:8:9', '2001:0:4:5::/64'],
  ['zeros at its end', '2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['an IPv4 address at its end', '64:ff9b:1:2::192.0.2.1', '64:ff9b:1:2::/64'],
  ['itself', '::1', '0:0:0:0::/64'],
  ['a zone', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['no address', 'unknown', 'unknown'],
])('counts %s (%s) as %s', (_what, address, key) => {
  expect(addressKey(address)).toBe(key)
})

it('counts two addresses of one /64 together, and of two /64 apart', () => {
  expect(addressKey('2001:db8:1:2:aaaa::1')).toBe(addressKey('2001:DB8:1:2:bbbb:cccc:dddd:eeee'))
  expect(addressKey('2001:db8:1:2::1')).not.toBe(addressKey('2001:db8:1:3::1'))
})
