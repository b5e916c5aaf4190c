import { lazy, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'

/** A component that is rendered at once when it was loaded before, and waited for otherwise. */
export interface LazyPart<P> {
  (props: P): ReactNode
  load(): Promise<void>
}

/**
 * A component of a chunk that is loaded when it is first rendered, or before by `load`. Unlike one of React's `lazy`, it
 * does not show the fallback of its Suspense once it is loaded: React keeps a fallback for 300 ms.
 */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): LazyPart<P> {
  let loaded: ComponentType<P> | undefined
  const fetched = async () => ({ default: (loaded = await load()) })
  const Waiting: ComponentType<P> = lazy(fetched) as never

  function Part(props: P) {
    // Kept while it is mounted: a part that arrives during a transition is mounted as the waiting one, and React would
    // remount it, without its state, when its type changes.
    const [Component] = useState(() => loaded ?? Waiting)
    return <Component {...props} />
  }
  return Object.assign(Part, { load: async () => void (await fetched()) })
}
