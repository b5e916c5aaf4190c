import { register } from '@sumlock/contracts/auth-routes'
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

  it('asks for a username where there is none, before it says which characters it may have', () => {
    expect(validateRegistration({ ...good, username: '' }, 'secret').username).toBe('Enter a username.')
  })

  it('compares the confirmation with the password', () => {
    expect(validateRegistration(good, 'other').confirmPassword).toBe("Passwords don't match")
  })

  it('accepts phone numbers with spaces, brackets and dashes', () => {
    expect(toInternational('00 1 (555) 000-12.34')).toBe('+15550001234')
  })

  it.each([
    ['fullName', ['', 'A', 'a'.repeat(100), 'a'.repeat(101)]],
    ['username', ['', 'ab', 'abc', 'a.b-c_1', 'é'.repeat(3), 'a b', 'a@b', 'a'.repeat(32), 'a'.repeat(33)]],
    ['email', ['', 'a', 'a@b', 'a@b.co', 'a b@c.co', `${'a'.repeat(64)}@b.co`, `${'a'.repeat(65)}@b.co`]],
    ['email', [`a@${'b'.repeat(60)}.${'c.'.repeat(93)}co`, `a@${'b'.repeat(60)}.${'c.'.repeat(96)}co`]],
    [
      'phone',
      ['', '+', '+123456', '+1234567', '+0234567', `+${'1'.repeat(15)}`, `+${'1'.repeat(16)}`, '15550001234'],
    ],
    ['password', ['', '12345', '123456', 'a'.repeat(72), 'a'.repeat(73), 'ü'.repeat(36), 'ü'.repeat(37)]],
  ] as const)('VAL-01: the sign-up form accepts a %s exactly where the contract does', (field, values) => {
    for (const value of values) {
      const isAccepted = register.body?.shape[field].safeParse(value).success
      const faults = validateRegistration(
        { ...good, [field]: value },
        field === 'password' ? value : 'secret',
      )
      expect({ value, isAccepted: faults[field] === undefined }).toEqual({ value, isAccepted })
    }
  })
})
