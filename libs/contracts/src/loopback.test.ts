import { openOrigins } from './loopback.ts'

it.each([
  'http://localhost:8080',
  'http://127.0.0.1:8080',
  'http://127.1.2.3',
  'http://[::1]:8080',
  'https://calculator.localhost',
])('openOrigins treats %s as a loopback address', (origin) => {
  expect(openOrigins([origin])).toEqual([])
})

it.each([
  'https://calculator.example.com',
  'http://192.168.0.5:8080',
  'http://localhost.example.com',
  'http://127.0.0.1.example.com',
  'http://[2001:db8::1]',
  'nonsense',
])('openOrigins treats %s as reachable by other machines', (origin) => {
  expect(openOrigins(['http://localhost', origin])).toEqual([origin])
})
