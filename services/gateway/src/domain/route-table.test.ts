import { isCanonicalPath } from './route-table.ts'

describe('a canonical path', () => {
  it.each([
    '/',
    '/api/user',
    '/api/conversations/1/messages?after=2',
    '/assets/a-1.b.js',
    '/api/x%20y%C3%BC',
    '/x?redirect=//y/../z',
  ])('is accepted: %s', (target) => expect(isCanonicalPath(target)).toBe(true))

  it.each([
    '//api/user',
    '/api//user',
    '/api\\user',
    '/api/../user',
    '/api/./user',
    '/api/..',
    '/api/%2e%2e/user',
    '/api%2Fuser',
    '/api%5cuser',
    '/api/user%00',
    '/api/use%72',
    '/api/u%73er',
    '/api/x%2Dy',
    'http://elsewhere/api/user',
    '*',
    '',
    '/api/üser',
    '/api/us er',
    `/${'x'.repeat(2048)}`,
  ])('is refused: %s', (target) => expect(isCanonicalPath(target)).toBe(false))
})
