import type { IncomingMessage } from 'node:http'
import { addressGroup, clientAddress, networksOf } from './client-address.ts'

const asked = (forwarded?: string) =>
  ({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress: '10.0.0.1' },
  }) as unknown as IncomingMessage

describe('the address of a client', () => {
  it('is the peer address while no proxy is trusted, even with an X-Forwarded-For header', () => {
    expect(clientAddress(asked('192.0.2.7'), 0)).toBe('10.0.0.1')
  })

  it('is the entry that the trusted proxy appended, not an earlier one of the client', () => {
    expect(clientAddress(asked('203.0.113.9, 192.0.2.7'), 1)).toBe('192.0.2.7')
    expect(clientAddress(asked('203.0.113.9, 192.0.2.7, 10.0.0.2'), 2)).toBe('192.0.2.7')
  })

  it('is the peer when nothing was forwarded', () => {
    expect(clientAddress(asked(), 1)).toBe('10.0.0.1')
  })
})

describe('the group of an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:0:1::5', '2001:db8:0:1::/64'],
    ['2001:0db8:0000:0001:aaaa:bbbb:cccc:dddd', '2001:db8:0:1::/64'],
    ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('%s belongs to %s', (address, group) => {
    expect(addressGroup(address)).toBe(group)
  })
})

describe('the networks of an address', () => {
  it('of an IPv6 address are its /64, /56 and /48', () => {
    expect(networksOf('2001:db8:7:12ab::5')).toEqual([
      '2001:db8:7:12ab::/64',
      '2001:db8:7:1200::/56',
      '2001:db8:7::/48',
    ])
  })

  it.each([
    ['2001:db8:7:1200::1', '2001:db8:7:12ff::1', ['2001:db8:7:1200::/56', '2001:db8:7::/48']],
    ['2001:db8:7:1200::1', '2001:db8:7:1300::1', ['2001:db8:7::/48']],
    ['2001:db8:7:1200::1', '2001:db8:8:1200::1', []],
  ])('%s and %s have in common: %j', (first, second, common) => {
    const others = networksOf(second)
    expect(networksOf(first).filter((network) => others.includes(network))).toEqual(common)
  })

  it.each(['192.0.2.7', '::ffff:192.0.2.7'])('%s is an IPv4 address without further networks', (address) => {
    expect(networksOf(address)).toEqual(['192.0.2.7'])
  })
})
