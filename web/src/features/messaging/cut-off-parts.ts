import { rarePart } from '../../shared/lib/rare-part.tsx'

/** What is needed while events are missing; undefined when its script cannot be loaded. */
export const whenCutOff = () => import('./when-cut-off.ts').catch(() => undefined)

// Its absence is no reason to load the page again.
export const ConnectionBar = rarePart<object>(async () => (await whenCutOff())?.ConnectionBar ?? (() => null))
