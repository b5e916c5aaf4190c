import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { parse } from 'yaml'

export interface ComposeService {
  image: string
  build?: { dockerfile: string; args?: Record<string, string> }
  environment?: Record<string, string>
  volumes?: string[]
  ports?: string[]
  networks?: string[]
  depends_on?: Record<string, { condition: string }>
  healthcheck?: { test?: string[]; disable?: boolean }
  restart?: string
  profiles?: string[]
  user?: string
  privileged?: boolean
  mem_limit?: string
  cap_add?: string[]
  entrypoint?: string[]
  command?: string[]
}

export interface ComposeFile {
  services: Record<string, ComposeService>
  networks: Record<string, { internal?: boolean } | null>
  volumes: Record<string, unknown>
}

export const composeText = (): string => readFileSync(join(repoRoot, 'docker-compose.yml'), 'utf8')

/** Returns docker-compose.yml with the defaults of all its variables filled in. */
export function readCompose(): ComposeFile {
  const text = composeText().replace(/\$\{\w+:-([^}]*)\}/g, '$1')
  return parse(text, { merge: true, maxAliasCount: -1 }) as ComposeFile
}

/** Returns whether a service is a job, which ends by itself. */
export const isJob = ({ restart = '' }: ComposeService): boolean => ['on-failure', 'no'].includes(restart)
/** Returns whether the image is built from this repository. */
export const isOurs = (service: ComposeService): boolean => service.image.startsWith('sumlock/')
