import { toInternational, validateRegistration } from './validate-registration.ts'

const good = {
  fullName: 'Ada',
  username: 'ada.l',
  email: 'a@b.co',
  phone: '+15550001234',
  password: 'secret',
}

describe('registration', () => {
  it('has no faults when all fields are valid', () => {
    expect(validateRegistration(good, 'secret')).toEqual({})
  })

  it.each([
    [{ fullName: '' }, 'fullName'],
    [{ username: 'ab' }, 'username'],
    [{ username: 'a b c' }, 'username'],
    [{ email: 'nope' }, 'email'],
    [{ phone: '5550001234' }, 'phone'],
    [{ password: '12345' }, 'password'],
    [{ password: 'ü'.repeat(37) }, 'password'],
  ])('names the fault of %o', (change, field) => {
    const input = { ...good, ...change }
    expect(Object.keys(validateRegistration(input, input.password))).toEqual([field])
  })

  it('compares the confirmation with the password', () => {
    expect(validateRegistration(good, 'other').confirmPassword).toBe("Passwords don't match")
  })

  it('accepts phone numbers with spaces, brackets and dashes', () => {
    expect(toInternational('00 1 (555) 000-12.34')).toBe('+15550001234')
  })
})
