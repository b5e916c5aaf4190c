import { register } from '@sumlock/contracts/auth-routes'
import { checkPhone, loadSignUpRules } from './sign-up-rules.ts'
import { validateRegistration } from './validate-registration.ts'

const rules = await loadSignUpRules()
const good = {
  fullName: 'Ada',
  username: 'ada.l',
  email: 'a@b.co',
  phone: '+15550001234',
  password: 'secret',
}
const faultsOf = (change: Partial<typeof good>, confirmPassword = change.password ?? good.password) =>
  validateRegistration({ ...good, ...change, confirmPassword }, rules).faults

describe('registration', () => {
  it('has no faults when all fields are valid, and sends no confirmation', () => {
    const input = { ...good, confirmPassword: 'secret' }
    expect(validateRegistration(input, rules)).toEqual({ registration: good, faults: {} })
  })

  it.each([
    [{ fullName: '' }, { fullName: 'Enter your full name.' }],
    [{ fullName: 'a'.repeat(101) }, { fullName: 'Use at most 100 characters.' }],
    [{ fullName: '\u200b\u3164' }, { fullName: 'Enter your full name.' }],
    [{ username: '' }, { username: 'Enter a username.' }],
    [{ username: 'a b c' }, { username: 'Use letters, digits, dots, dashes or underscores.' }],
    [{ username: 'ada\u3164' }, { username: 'Use letters, digits, dots, dashes or underscores.' }],
    [{ email: 'jörg@example.com' }, { email: 'Enter a valid e-mail address.' }],
    [{ email: 'a..b@example.com' }, { email: 'Enter a valid e-mail address.' }],
    [{ email: `a@${'b'.repeat(60)}.${'c.'.repeat(96)}co` }, { email: 'Enter a valid e-mail address.' }],
    [{ phone: '5550001234' }, { phone: 'Enter the number with its country code, like +15550001234.' }],
    [{ phone: '+39 333 12' }, { phone: 'No such number can exist. Please check its digits.' }],
    [{ password: '12345' }, { password: 'Password must be at least 6 characters long' }],
    [{ password: 'ü'.repeat(37) }, { password: 'Password is too long.' }],
  ])('VAL-01: refuses %o with %o', (change, faults) => {
    expect(faultsOf(change)).toEqual(faults)
  })

  it('compares the confirmation with the password', () => {
    expect(faultsOf({}, 'other').confirmPassword).toBe("Passwords don't match")
  })

  it.each([
    ['00 1 (555) 000-12.34', '+15550001234'],
    ['+44 (0)20 7946 0018', '+442079460018'],
    ['+33 06 12 34 56 78', '+33612345678'],
    ['+54 11 15-1234-5678', '+5491112345678'],
    ['+٤٤ ٢٠ ٧٩٤٦ ٠٠١٨', '+442079460018'],
    ['+४४ २० ७९४६ ००१८', '+442079460018'],
    ['＋４４ ２０ ７９４６ ００１８', '+442079460018'],
    ['\u202A+44 20 7946 0018\u202C', '+442079460018'],
    ['tel:+442079460018', '+442079460018'],
    ['+39 06 1234 5678', '+390612345678'],
  ])('corrects the phone number %s to %s', (text, phone) => {
    expect(checkPhone(text, rules)).toEqual({ phone })
  })

  it.each(['+39 333 12', '+44 123', '+1 555 0001', '+999 12345678', '+44 20 7946 0018 ext 5', '+49 1'])(
    'lets no code be sent to %s',
    (text) => {
      expect(checkPhone(text, rules).fault).toMatch(/^(No such number can exist|Enter the number with)/)
    },
  )

  it.each([
    ['fullName', ['', 'A', 'a'.repeat(100), 'a'.repeat(101), 'a\u0000b', '\ud800']],
    ['username', ['', 'ab', 'abc', 'a.b-c_1', 'é'.repeat(3), 'a b', 'a@b', 'a'.repeat(32), 'a'.repeat(33)]],
    ['email', ['', 'a', 'a@b', 'a@b.co', 'a b@c.co', `${'a'.repeat(64)}@b.co`, `${'a'.repeat(65)}@b.co`]],
    ['email', [`a@${'b'.repeat(60)}.${'c.'.repeat(93)}co`, `a@${'b'.repeat(60)}.${'c.'.repeat(96)}co`]],
    ['email', ['jörg@example.com', 'a.@b.co', '.a@b.co', 'a@-b.co', 'a@b_c.co', '"a"@b.co', 'a@b.c']],
    ['password', ['', '12345', '123456', 'a'.repeat(72), 'a'.repeat(73), 'ü'.repeat(36), 'ü'.repeat(37)]],
    ['password', ['12345\u0000', '12345\ud800']],
  ] as const)('VAL-01: the sign-up form accepts a %s exactly where the contract does', (field, values) => {
    for (const value of values) {
      const isAccepted = register.body?.shape[field].safeParse(value).success
      expect({ value, isAccepted: faultsOf({ [field]: value })[field] === undefined }).toEqual({
        value,
        isAccepted,
      })
    }
  })
})
