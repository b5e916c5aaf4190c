import { importModule } from '../shared/lib/import-module.ts'
import { lazyPart } from '../shared/lib/lazy-part.tsx'

/** Everything behind the calculator, which does not need it. */
export const InnerRoutes = lazyPart(
  async () => (await importModule(() => import('./InnerRoutes.tsx'))).InnerRoutes,
)
