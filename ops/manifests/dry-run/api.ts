import { Agent, request } from 'node:https'
import type { Manifest } from '../manifest.ts'
import type { ControlPlane } from './control-plane.ts'

export interface Api {
  /** Server-side apply, strict about fields; null, or the server's reason to refuse. */
  apply(manifest: Manifest, options?: { dryRun: boolean }): Promise<string | null>
  close(): void
}

interface Resource {
  name: string
  kind: string
  namespaced: boolean
}

export function createApi({ url, ca, token }: ControlPlane): Api {
  const agent = new Agent({ ca, keepAlive: true, maxSockets: 4 })
  const known = new Map<string, Promise<Resource[]>>()

  const ask = (method: string, path: string, body?: unknown) =>
    new Promise<{ status: number; body: unknown }>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        // Where nothing is sent, this type is refused.
        ...(body === undefined ? {} : { 'content-type': 'application/apply-patch+yaml' }),
      }
      const asked = request(`${url}${path}`, { method, agent, headers }, (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () => {
          // A path the server does not have is answered in plain text.
          const parsed = text.startsWith('{') ? (JSON.parse(text) as unknown) : { message: text.trim() }
          resolve({ status: response.statusCode ?? 0, body: parsed })
        })
      })
      asked.on('error', reject)
      // JSON is YAML as well.
      asked.end(body === undefined ? undefined : JSON.stringify(body))
    })

  const rootOf = (apiVersion: string) =>
    apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`
  const resourcesOf = (apiVersion: string) => {
    const found =
      known.get(apiVersion) ??
      ask('GET', rootOf(apiVersion)).then(({ status, body }) => {
        // 404: a group it does not have.
        if (status !== 200 && status !== 404) throw new Error(`${rootOf(apiVersion)} answers ${status}`)
        return (body as { resources?: Resource[] }).resources ?? []
      })
    known.set(apiVersion, found)
    return found
  }

  return {
    async apply(manifest, { dryRun } = { dryRun: true }) {
      const { apiVersion, kind, metadata } = manifest
      const resource = (await resourcesOf(apiVersion)).find(
        (one) => one.kind === kind && !one.name.includes('/'),
      )
      if (!resource) return `${apiVersion} ${kind} is nothing this server knows`
      const inside = resource.namespaced ? `/namespaces/${metadata.namespace}` : ''
      const options = `fieldManager=sumlock&fieldValidation=Strict${dryRun ? '&dryRun=All' : ''}`
      const path = `${rootOf(apiVersion)}${inside}/${resource.name}/${metadata.name}?${options}`
      const { status, body } = await ask('PATCH', path, manifest)
      return status < 300
        ? null
        : `${status} ${(body as { message?: string }).message ?? JSON.stringify(body)}`
    },
    close: () => agent.destroy(),
  }
}
