import { jest } from '@jest/globals'
import { act, fireEvent, render, screen, within } from '../../../test/render.tsx'
import userEvent from '@testing-library/user-event'
import { PlainCalculator } from './PlainCalculator.tsx'
import { preferences } from '../../../test/page.ts'

const result = () => screen.getByRole('status', { name: 'Result' })
const shown = () => result().textContent
const tape = () => within(screen.getByRole('region', { name: 'History' })).getAllByRole('button')
const key = (name: string) => screen.getByRole('button', { name })
const copied: string[] = []
const type = (text: string) => userEvent.keyboard(text)

interface Point {
  x?: number
  atMs?: number
  button?: number
  pointerType?: string
}

/** jsdom does not implement pointer events. */
function point(over: Element, kind: string, { x = 0, atMs, button = 0, pointerType = 'touch' }: Point = {}) {
  const event = new MouseEvent(kind, { bubbles: true, cancelable: true, clientX: x, button })
  Object.assign(event, { pointerId: 1, isPrimary: true, pointerType })
  if (atMs !== undefined) Object.defineProperty(event, 'timeStamp', { value: atMs })
  fireEvent(over, event)
  return event
}

function swipe(byX: number, ms: number) {
  point(result(), 'pointerdown', { x: 200, atMs: 1000 })
  point(result(), 'pointerup', { x: 200 + byX, atMs: 1000 + ms })
}

beforeEach(() => {
  copied.splice(0)
  const writeText = (text: string) => Promise.resolve(void copied.push(text))
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } })
  localStorage.clear()
  preferences.change({ keepsHistory: true, decimals: null })
})
afterEach(() => {
  jest.restoreAllMocks()
  jest.useRealTimers()
})

describe('a swipe over the display deletes the last digit', () => {
  beforeEach(async () => {
    render(<PlainCalculator />)
    await type('123')
  })

  it('CALC-18: from 70 px on, not at 69', () => {
    swipe(69, 100)
    expect(shown()).toBe('123')
    swipe(70, 100)
    expect(shown()).toBe('12')
  })

  it('CALC-19: when it takes up to 600 ms, not 601', () => {
    swipe(100, 601)
    expect(shown()).toBe('123')
    swipe(100, 600)
    expect(shown()).toBe('12')
  })

  it('CALC-20: to the left as to the right', () => {
    swipe(-100, 100)
    expect(shown()).toBe('12')
    swipe(100, 100)
    expect(shown()).toBe('1')
  })
})

describe('the keys', () => {
  it('are named by what is printed on them', () => {
    render(<PlainCalculator />)
    const keys = within(screen.getByRole('group', { name: 'Keypad' })).getAllByRole('button')
    for (const { textContent } of keys) expect(key(textContent ?? '')).toBeTruthy()
    expect(keys.filter((button) => button.hasAttribute('aria-label'))).toEqual([])
  })

  it('show which operator waits for its second number', async () => {
    render(<PlainCalculator />)
    const lit = () => screen.queryAllByRole('button', { pressed: true }).map(({ textContent }) => textContent)
    await type('12')
    expect(lit()).toEqual([])
    await type('+')
    expect(lit()).toEqual(['+'])
    await type('*')
    expect(lit()).toEqual(['×'])
    await type('3')
    expect(lit()).toEqual([])
  })
})

describe('the line under the number', () => {
  it('shows the result in advance, with the decimals of the settings, outside the announced number', async () => {
    preferences.change({ decimals: 2 })
    render(<PlainCalculator />)
    await type('1000-3000.5')
    expect(screen.getByText('= −2,000.50')).toBeTruthy()
    expect(shown()).toBe('3,000.5')
    await type('{Enter}')
    expect(screen.queryByText(/^= /)).toBeNull()
    expect(shown()).toBe('−2,000.50')
  })

  it('says why there is no result, and the calculation stays above it', async () => {
    render(<PlainCalculator />)
    await type('8/0{Enter}')
    expect(shown()).toBe('Error')
    expect(screen.getByText('8 ÷ 0 =')).toBeTruthy()
    expect(screen.getByText('Cannot divide by zero')).toBeTruthy()
  })
})

describe('a thirteenth digit', () => {
  it('shakes the display and vibrates, unless the person asked for less motion', async () => {
    const animate = jest.spyOn(Element.prototype, 'animate')
    const vibrate = jest.fn()
    Object.assign(navigator, { vibrate })
    render(<PlainCalculator />)
    await type('123456789012')
    expect(animate).not.toHaveBeenCalled()
    await type('3')
    expect(animate).toHaveBeenCalledTimes(1)
    expect((animate.mock.contexts[0] as Element).contains(result())).toBe(true)
    expect(vibrate).toHaveBeenCalledTimes(1)
    await type('{Escape}')
    expect(animate).toHaveBeenCalledTimes(1)
    jest
      .spyOn(window, 'matchMedia')
      .mockImplementation((media) => ({ matches: true, media }) as MediaQueryList)
    await type('1234567890123')
    expect(animate).toHaveBeenCalledTimes(1)
    expect(vibrate).toHaveBeenCalledTimes(1)
  })
})

describe('a line of the tape', () => {
  it('puts its result into the calculation when it is tapped', async () => {
    render(<PlainCalculator />)
    await type('200+20{Enter}5+')
    await userEvent.click(tape()[0] as Element)
    expect(screen.getByText('= 225')).toBeTruthy()
    expect(document.activeElement).toBe(document.body)
    await type('{Enter}{Escape}')
    await userEvent.click(tape()[1] as Element)
    expect(shown()).toBe('225')
  })

  it('is copied when it is held, after the finger is lifted, and not reused', async () => {
    render(<PlainCalculator />)
    await type('1200-2.5{Enter}7')
    const line = tape()[0] as Element
    jest.useFakeTimers()
    point(line, 'pointerdown')
    act(() => void jest.advanceTimersByTime(499))
    point(line, 'pointerup')
    expect(copied).toEqual([])
    point(line, 'pointerdown')
    act(() => void jest.advanceTimersByTime(500))
    expect(point(line, 'contextmenu').defaultPrevented).toBe(true)
    expect(copied).toEqual([])
    point(line, 'pointerup')
    fireEvent.click(line, { detail: 1 })
    await act(() => Promise.resolve())
    expect(copied).toEqual(['1197.5'])
    expect(screen.getByText('Copied')).toBeTruthy()
    expect(shown()).toBe('7')
    act(() => void jest.advanceTimersByTime(1500))
    expect(screen.queryByText('Copied')).toBeNull()
  })

  it('is not copied when the finger moves or the browser cancels the touch', async () => {
    render(<PlainCalculator />)
    await type('1+2{Enter}')
    const line = tape()[0] as Element
    jest.useFakeTimers()
    for (const [kind, x] of [
      ['pointermove', 11],
      ['pointercancel', 0],
    ] as const) {
      point(line, 'pointerdown')
      point(line, kind, { x })
      act(() => void jest.advanceTimersByTime(600))
      point(line, 'pointerup')
    }
    expect(copied).toEqual([])
  })

  it('is copied by the right mouse button and by the keyboard', async () => {
    render(<PlainCalculator />)
    await type('1+2{Enter}4*5{Enter}')
    const [first, second] = tape() as [HTMLElement, HTMLElement]
    point(first, 'pointerdown', { button: 2, pointerType: 'mouse' })
    expect(point(first, 'contextmenu', { button: 2, pointerType: 'mouse' }).defaultPrevented).toBe(true)
    expect(await screen.findByText('Copied')).toBeTruthy()
    expect(copied).toEqual(['3'])
    second.focus()
    const setData = jest.fn()
    fireEvent.copy(second, { clipboardData: { setData } })
    expect(setData.mock.calls).toEqual([['text/plain', '20']])
  })

  it('says so when the browser gives no access to the clipboard', async () => {
    render(<PlainCalculator />)
    await type('1+2{Enter}')
    // A page that is not served securely has no clipboard.
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: undefined })
    point(tape()[0] as Element, 'contextmenu')
    expect(await screen.findByText('Could not copy: copy the selection by hand')).toBeTruthy()
    expect(window.getSelection()?.toString()).toBe('3')
  })

  it('is reached with Tab, the newest first, and with the arrow keys', async () => {
    render(<PlainCalculator />)
    await type('1+2{Enter}4*5{Enter}')
    const [first, second] = tape() as [HTMLElement, HTMLElement]
    await type('{Tab}{Tab}')
    expect(document.activeElement).toBe(second)
    await type('{ArrowUp}')
    expect(document.activeElement).toBe(first)
    await type('{ArrowUp}{Enter}')
    expect(shown()).toBe('3')
    await type('{ArrowDown}')
    expect(document.activeElement).toBe(second)
  })
})

describe('the tape', () => {
  it('can be cleared, and the number on the display stays', async () => {
    const { unmount } = render(<PlainCalculator />)
    await type('1+2{Enter}')
    await userEvent.click(key('Clear history'))
    expect(screen.queryByRole('region', { name: 'History' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Clear history' })).toBeNull()
    expect(screen.getByText('History cleared')).toBeTruthy()
    expect(shown()).toBe('3')
    unmount()
    expect(localStorage.getItem('calc.h')).toBeNull()
  })

  it('outlives the page, but never with an entry that may be the number which unlocks the device', async () => {
    const { unmount } = render(<PlainCalculator />)
    await type('1+2{Enter}7+0070={Escape}4711={Escape}4*5{Enter}')
    expect(tape().map(({ textContent }) => textContent)).toEqual(['1 + 2 =3', '7 + 70 =77', '4 × 5 =20'])
    unmount()
    expect(localStorage.getItem('calc.h')).not.toMatch(/70|77|4711/)
    render(<PlainCalculator />)
    expect(tape().map(({ textContent }) => textContent)).toEqual(['1 + 2 =3', '4 × 5 =20'])
  })

  it('does not outlive the page when the person chose so', async () => {
    preferences.change({ keepsHistory: false })
    const { unmount } = render(<PlainCalculator />)
    await type('1+2{Enter}')
    unmount()
    expect(localStorage.getItem('calc.h')).toBeNull()
    render(<PlainCalculator />)
    expect(screen.queryByRole('region', { name: 'History' })).toBeNull()
  })
})

describe('the keyboard’s copy and paste', () => {
  const copy = () => {
    const setData = jest.fn()
    const isPrevented = !fireEvent.copy(document.body, { clipboardData: { setData } })
    return { texts: setData.mock.calls.map(([, text]) => text as string), isPrevented }
  }
  const paste = (text: string) => fireEvent.paste(document.body, { clipboardData: { getData: () => text } })

  it('copies the number without separators', async () => {
    render(<PlainCalculator />)
    await type('1000-3500.5{Enter}')
    expect(copy()).toEqual({ texts: ['-2500.5'], isPrevented: true })
    expect(screen.getByText('Copied')).toBeTruthy()
  })

  it('copies selected text as the browser does, and no error', async () => {
    render(<PlainCalculator />)
    await type('12')
    window.getSelection()?.selectAllChildren(result())
    expect(copy()).toEqual({ texts: [], isPrevented: false })
    window.getSelection()?.removeAllRanges()
    await type('/0{Enter}')
    expect(copy().texts).toEqual([])
  })

  it('pastes a number as others write it', async () => {
    render(<PlainCalculator />)
    await type('2*')
    paste(' 1,234.5\n')
    expect(screen.getByText('= 2,469')).toBeTruthy()
  })

  it('refuses to paste what is no number', async () => {
    const animate = jest.spyOn(Element.prototype, 'animate')
    render(<PlainCalculator />)
    await type('12')
    paste('twelve')
    expect(screen.getByText('Not a number')).toBeTruthy()
    expect(animate).toHaveBeenCalledTimes(1)
    expect(shown()).toBe('12')
  })

  it('belongs to an open dialog, and nothing listens after the calculator is gone', async () => {
    const { unmount } = render(<PlainCalculator />)
    await userEvent.click(key('Menu'))
    paste('5')
    expect(copy().isPrevented).toBe(false)
    await userEvent.click(key('Close'))
    expect(shown()).toBe('0')
    unmount()
    expect(copy().isPrevented).toBe(false)
    expect(paste('5')).toBe(true)
  })
})

it('the number is copied when it is held with a finger, but not with the mouse, which selects it', async () => {
  render(<PlainCalculator />)
  await type('12.5')
  jest.useFakeTimers()
  const hold = (pointerType: string) => {
    point(result(), 'pointerdown', { pointerType })
    act(() => void jest.advanceTimersByTime(500))
    point(result(), 'pointerup', { pointerType })
  }
  hold('mouse')
  expect(point(result(), 'contextmenu', { pointerType: 'mouse' }).defaultPrevented).toBe(false)
  expect(copied).toEqual([])
  hold('touch')
  await act(() => Promise.resolve())
  expect(copied).toEqual(['12.5'])
})
