import { basename, resolve } from 'node:path'
import { dataFolder, readDemo, readSwitch } from './product-options.ts'

describe('a switch of the environment', () => {
  it('is on when absent, and off when set to off', () => {
    expect(readSwitch({}, 'SUMLOCK_RATE_LIMITS')).toBe(true)
    expect(readSwitch({ SUMLOCK_RATE_LIMITS: 'on' }, 'SUMLOCK_RATE_LIMITS')).toBe(true)
    expect(readSwitch({ SUMLOCK_RATE_LIMITS: 'off' }, 'SUMLOCK_RATE_LIMITS')).toBe(false)
  })

  it('refuses any other word', () => {
    const read = () => readSwitch({ SUMLOCK_RATE_LIMITS: 'false' }, 'SUMLOCK_RATE_LIMITS')
    expect(read).toThrow('SUMLOCK_RATE_LIMITS must be on or off, not false.')
  })
})

it('the data folder is the given one, or the usual one of the project', () => {
  expect(dataFolder('elsewhere')).toBe(resolve('elsewhere'))
  expect(basename(dataFolder(undefined))).toBe('start')
})

describe('a product on one machine', () => {
  const open = { SUMLOCK_PUBLIC_ORIGINS: 'http://localhost:3000, http://192.168.0.5:3000' }
  const closed = { ...open, SUMLOCK_DEMO_ACCOUNTS: 'off', SUMLOCK_SHOW_PHONE_CODE: 'off' }

  it('has demo accounts and shows phone codes when only this machine may open it', () => {
    const convenient = { demoAccounts: true, showPhoneCode: true }
    expect(readDemo({})).toEqual({ origins: [], ...convenient })
    expect(readDemo({ SUMLOCK_PUBLIC_ORIGINS: 'http://127.0.0.1:3000' })).toMatchObject(convenient)
  })

  it('accepts an origin of another machine when both are off', () => {
    expect(readDemo(closed)).toEqual({
      origins: ['http://localhost:3000', 'http://192.168.0.5:3000'],
      demoAccounts: false,
      showPhoneCode: false,
    })
  })

  it('shows phone codes without demo accounts, but has no demo accounts without phone codes', () => {
    expect(readDemo({ SUMLOCK_DEMO_ACCOUNTS: 'off' })).toMatchObject({
      demoAccounts: false,
      showPhoneCode: true,
    })
    expect(() => readDemo({ SUMLOCK_SHOW_PHONE_CODE: 'off' })).toThrow(
      'set SUMLOCK_DEMO_ACCOUNTS=off as well',
    )
  })

  it.each(['SUMLOCK_DEMO_ACCOUNTS', 'SUMLOCK_SHOW_PHONE_CODE'])(
    'refuses an origin of another machine, and says that %s has to be off',
    (name) => {
      expect(() => readDemo({ ...closed, [name]: 'on' })).toThrow(
        new RegExp(`while http://192\\.168\\.0\\.5:3000 may open the product: set ${name}=off`),
      )
    },
  )
})
