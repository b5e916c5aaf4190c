import { act, render, screen } from '@testing-library/react'
import { Suspense, useEffect } from 'react'
import type { ComponentType } from 'react'
import { lazyPart } from './lazy-part.tsx'

let arrive: (component: ComponentType<{ name: string }>) => void
let mounts = 0
function Greeting({ name }: { name: string }) {
  useEffect(() => void (mounts += 1), [])
  return <p>Hello {name}</p>
}
const newPart = () => lazyPart<{ name: string }>(() => new Promise((resolve) => (arrive = resolve)))
const shown = (Part: ComponentType<{ name: string }>, name = 'Ada') => (
  <Suspense fallback={<p>Loading</p>}>
    <Part name={name} />
  </Suspense>
)
beforeEach(() => {
  mounts = 0
})

describe('a part of another chunk', () => {
  it('shows the fallback until it is loaded', async () => {
    render(shown(newPart()))
    expect(screen.getByText('Loading')).toBeTruthy()
    await act(() => Promise.resolve(arrive(Greeting)))
    expect(screen.getByText('Hello Ada')).toBeTruthy()
  })

  it('is shown in the first render when it was loaded before', async () => {
    const Part = newPart()
    const loading = Part.load()
    arrive(Greeting)
    await loading
    render(shown(Part))
    expect(screen.queryByText('Loading')).toBeNull()
    expect(screen.getByText('Hello Ada')).toBeTruthy()
  })

  it('stays mounted when it is loaded once more', async () => {
    const Part = newPart()
    const { rerender } = render(shown(Part))
    await act(() => Promise.resolve(arrive(Greeting)))
    const again = Part.load()
    arrive(Greeting)
    await act(() => again)
    rerender(shown(Part, 'Ben'))
    expect(screen.getByText('Hello Ben')).toBeTruthy()
    expect(mounts).toBe(1)
  })

  it('rejects when it cannot be loaded', async () => {
    const part = lazyPart(() => Promise.reject(new Error('offline')))
    await expect(part.load()).rejects.toThrow('offline')
  })
})
