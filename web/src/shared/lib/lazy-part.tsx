import { lazy, useState } from 'react'
import type { ComponentType, ReactNode } from 'react'

/** Renders at once if the component is loaded, and otherwise as soon as it arrives. */
export interface LazyPart<P> {
  (props: P): ReactNode
  load(): Promise<void>
}

/**
 * Returns a component whose chunk is loaded when it is first rendered, or earlier by `load`. Unlike a component of
 * React's `lazy`, it never shows the fallback of its Suspense once it is loaded; React shows a fallback for at least
 * 300 ms.
 */
export function lazyPart<P extends object>(load: () => Promise<ComponentType<P>>): LazyPart<P> {
  let loaded: ComponentType<P> | undefined
  const fetched = async () => ({ default: (loaded = await load()) })
  const Waiting: ComponentType<P> = lazy(fetched) as never

  function Part(props: P) {
    // A mounted part keeps the component type with which it was mounted. If a part arrives during a transition, that
    // type is the waiting one, and React would remount the part, without its state, if the type changed.
    const [Component] = useState(() => loaded ?? Waiting)
    return <Component {...props} />
  }
  return Object.assign(Part, { load: async () => void (await fetched()) })
}
