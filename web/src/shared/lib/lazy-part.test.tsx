import { act, render, screen } from '../../../test/render.tsx'
import { startTransition, Suspense, useEffect, useLayoutEffect, useState } from 'react'
import type { ComponentType } from 'react'
import { createRoot } from 'react-dom/client'
import { lazyPart } from './lazy-part.tsx'

let arrive: (component: ComponentType<{ name: string }>) => void
let isAsked = false
let mounts = 0
function Greeting({ name }: { name: string }) {
  useLayoutEffect(() => void (mounts += 1), [])
  return <p>Hello {name}</p>
}
const newPart = () =>
  lazyPart<{ name: string }>(() => {
    isAsked = true
    return new Promise((resolve) => (arrive = resolve))
  })
const shown = (Part: ComponentType<{ name: string }>, name = 'Ada') => (
  <Suspense fallback={<p>Loading</p>}>
    <Part name={name} />
  </Suspense>
)
beforeEach(() => {
  mounts = 0
  isAsked = false
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

  it('stays mounted when it arrives during a transition and is rendered again later', async () => {
    // The test renders as a browser does, because `act` would finish the render before the part arrives.
    const environment = globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }
    environment.IS_REACT_ACT_ENVIRONMENT = false
    const Part = newPart()
    const place = document.createElement('div')
    const root = createRoot(place)
    const mounted = Promise.withResolvers<(name: string) => void>()
    function Page() {
      const [name, set] = useState('')
      useEffect(() => mounted.resolve(set), [])
      return <Suspense fallback="Loading">{name === '' ? 'Before' : <Part name={name} />}</Suspense>
    }
    const until = async (isTrue: () => boolean) => {
      while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 1))
    }
    const shows = (text: string) => until(() => place.textContent === text)
    try {
      root.render(<Page />)
      const setName = await mounted.promise
      startTransition(() => setName('Ada'))
      await until(() => isAsked)
      arrive(Greeting)
      await shows('Hello Ada')
      setName('Ben')
      await shows('Hello Ben')
      expect(mounts).toBe(1)
    } finally {
      root.unmount()
      environment.IS_REACT_ACT_ENVIRONMENT = true
    }
  })

  it('rejects when it cannot be loaded', async () => {
    const part = lazyPart(() => Promise.reject(new Error('offline')))
    await expect(part.load()).rejects.toThrow('offline')
  })
})
