import { deviceStorage, tabStorage } from './safe-storage.ts'

const blocked = (name: 'localStorage' | 'sessionStorage') => {
  const real = Object.getOwnPropertyDescriptor(window, name) as PropertyDescriptor
  Object.defineProperty(window, name, {
    configurable: true,
    get: () => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    },
  })
  return () => Object.defineProperty(window, name, real)
}

afterEach(() => localStorage.clear())

it('safe storage writes values to the browser store and returns true', () => {
  expect(deviceStorage.set('k', '1')).toBe(true)
  expect(localStorage.getItem('k')).toBe('1')
  deviceStorage.remove('k')
  expect(deviceStorage.get('k')).toBeNull()
})

it.each([
  ['localStorage', deviceStorage],
  ['sessionStorage', tabStorage],
] as const)('keeps values in memory while reading %s throws', (name, storage) => {
  const unblock = blocked(name)
  try {
    expect(storage.get('k')).toBeNull()
    expect(storage.set('k', '1')).toBe(false)
    expect(storage.get('k')).toBe('1')
    storage.remove('k')
    expect(storage.get('k')).toBeNull()
  } finally {
    unblock()
  }
})

it('safe storage returns the newest value when a full store refused it', () => {
  deviceStorage.set('k', 'old')
  const real = Storage.prototype.setItem
  Storage.prototype.setItem = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }
  try {
    expect(deviceStorage.set('k', 'new')).toBe(false)
    expect(deviceStorage.get('k')).toBe('new')
  } finally {
    Storage.prototype.setItem = real
  }
  expect(deviceStorage.set('k', 'newest')).toBe(true)
  expect(deviceStorage.get('k')).toBe('newest')
})
