import { isPermanentFailure, reasonOf } from './refusal.ts'

describe('an error of the mail server', () => {
  it.each([
    [{ code: 'EENVELOPE', responseCode: 550 }, true],
    [{ code: 'EMESSAGE', responseCode: 554 }, true],
    [{ code: 'EENVELOPE', responseCode: 451 }, false],
    [{ code: 'EAUTH', responseCode: 535 }, false],
    [{ code: 'EPROTOCOL', responseCode: 554 }, false],
    [{ code: 'ESOCKET' }, false],
    [{ code: 'EENVELOPE' }, false],
    [undefined, false],
  ])('%j is permanent: %j', (error, expected) => {
    expect(isPermanentFailure(error)).toBe(expected)
  })

  it('is stored without its text, which may repeat the address', () => {
    const error = { code: 'EENVELOPE', responseCode: 550, message: '550 no such user ada@example.com' }
    expect(reasonOf(error)).toBe('EENVELOPE 550')
    expect(reasonOf(new Error('ada@example.com'))).toBe('unknown')
  })
})
