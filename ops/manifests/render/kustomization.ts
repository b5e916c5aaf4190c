import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { z } from 'zod'

const configMap = z
  .strictObject({
    name: z.string(),
    behavior: z.literal('merge').optional(),
    envs: z.array(z.string()).optional(),
    files: z.array(z.string().regex(/^[^=]+$/)).optional(),
  })
  .refine(({ envs, files }) => Boolean(envs) !== Boolean(files), 'has either envs or files')

/** What we use of kustomize, and nothing else: what is not listed here is refused and not guessed. */
const kustomization = z.strictObject({
  apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
  kind: z.literal('Kustomization'),
  namespace: z.string(),
  resources: z.array(z.string()),
  configMapGenerator: z.array(configMap).default([]),
  images: z
    .array(
      z.strictObject({ name: z.string(), newName: z.string().optional(), newTag: z.string().optional() }),
    )
    .default([]),
  patches: z
    .array(
      z.strictObject({
        target: z.strictObject({
          kind: z.string(),
          name: z
            .string()
            .regex(/^[a-z0-9-]+$/)
            .optional(),
        }),
        patch: z
          .string()
          .transform((text) => parse(text) as unknown)
          .pipe(
            z.array(
              z.strictObject({
                op: z.enum(['add', 'replace', 'remove']),
                path: z.string().startsWith('/'),
                value: z.unknown().optional(),
              }),
            ),
          ),
      }),
    )
    .default([]),
})

export type Kustomization = z.output<typeof kustomization>
export type ConfigMapGenerator = Kustomization['configMapGenerator'][number]
export type Patch = Kustomization['patches'][number]

/** Reads `kustomization.yaml` of a folder; throws with every field that is not supported. */
export function readKustomization(folder: string): Kustomization {
  const file = join(folder, 'kustomization.yaml')
  const parsed = kustomization.safeParse(parse(readFileSync(file, 'utf8'), { strict: true }))
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  throw new Error(
    `${file} uses what this renderer does not know. Add it to ops/manifests/render, or write it otherwise:\n  ${faults.join('\n  ')}`,
  )
}
