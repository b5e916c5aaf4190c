import { Suspense } from 'react'
import type { ComponentType } from 'react'
import { importModule } from './import-module.ts'
import { lazyPart } from './lazy-part.tsx'

/** A component that is loaded when it is first shown; until then there is nothing in its place. */
export function rarePart<P extends object>(load: () => Promise<ComponentType<P>>) {
  const Part = lazyPart(() => importModule(load))
  return (props: P) => (
    <Suspense>
      <Part {...props} />
    </Suspense>
  )
}
