import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { parseAllDocuments } from 'yaml'
import type { Manifest } from './manifest.ts'

export const overlays = ['local', 'production'] as const
export type Overlay = (typeof overlays)[number]

export const overlayFolder = (overlay: Overlay): string => join(repoRoot, 'k8s/overlays', overlay)

/** The committed output of kustomize, written by `npm run k8s:render`. */
export const renderedFile = (overlay: Overlay): string => join(repoRoot, 'k8s/rendered', `${overlay}.yaml`)

export const parseManifests = (text: string): Manifest[] =>
  parseAllDocuments(text).map((document) => document.toJS() as Manifest)

export const renderedManifests = (overlay: Overlay): Manifest[] =>
  parseManifests(readFileSync(renderedFile(overlay), 'utf8'))
