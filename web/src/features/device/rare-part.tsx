import { Suspense } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { importModule } from './import-module.ts'
import { lazyPart } from '../../shared/lib/lazy-part.tsx'

/**
 * Returns a component that is loaded when it is first shown, or earlier by `load`. While it loads, the fallback is
 * shown, or nothing.
 */
export function rarePart<P extends object>(load: () => Promise<ComponentType<P>>, fallback?: ReactNode) {
  const Part = lazyPart(() => importModule(load))
  const Rare = (props: P) => (
    <Suspense fallback={fallback}>
      <Part {...props} />
    </Suspense>
  )
  return Object.assign(Rare, { load: Part.load })
}
