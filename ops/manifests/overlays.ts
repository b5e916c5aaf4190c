import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import type { Manifest } from './manifest.ts'
import { render } from './render/render.ts'

export const overlays = ['local', 'production'] as const
export type Overlay = (typeof overlays)[number]

export const overlayFolder = (overlay: Overlay): string => join(repoRoot, 'k8s/overlays', overlay)

export const renderOverlay = (overlay: Overlay): Manifest[] => render(overlayFolder(overlay))
