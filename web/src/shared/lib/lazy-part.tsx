import { lazy, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'

/** A component that renders at once if it is already loaded, and otherwise as soon as it arrives. */
export interface LazyPart<P> {
  (props: P): ReactNode
  load(): Promise<void>
}

/**
 * A component whose chunk is loaded when it is first rendered, or earlier by `load`. Unlike a component of React's
 * `lazy`, it never shows the fallback of its Suspense once it is loaded: React keeps a fallback for 300 ms.
 */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): LazyPart<P> {
  let loaded: ComponentType<P> | undefined
  const fetched = async () => ({ default: (loaded = await load()) })
  const Waiting: ComponentType<P> = lazy(fetched) as never

  function Part(props: P) {
    // The type is kept while the component is mounted. A part that arrives during a transition is mounted as the
    // waiting one, and React would remount it, without its state, if its type changed.
    const [Component] = useState(() => loaded ?? Waiting)
    return <Component {...props} />
  }
  return Object.assign(Part, { load: async () => void (await fetched()) })
}
