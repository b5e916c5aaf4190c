import type { Kubernetes } from '../kubernetes.ts'
import { enginesNamespace } from './accounts.ts'
import { bundled } from './engines.ts'

export type Act = 'exchange' | 'register' | 'load' | 'letters' | 'requireLetter' | 'write' | 'read'

/** Runs an act of `programs/client.ts` in the cluster, where the product's address can be reached, and returns its result. */
export async function runAct<T>({ kubectlWith }: Kubernetes, act: Act, given: unknown = {}): Promise<T> {
  const place = [`--namespace=${enginesNamespace}`, 'exec', '--stdin', 'deployment/client', '--']
  const output = await kubectlWith(await bundled('client'), ...place, 'node', '-', act, JSON.stringify(given))
  return JSON.parse(output) as T
}
