import { namespace } from '../steps/try-step.ts'
import type { TryContext, TryStep } from '../steps/try-step.ts'
import { createAccounts, engineSettings, enginesNamespace } from './accounts.ts'
import type { Accounts } from './accounts.ts'
import { createAuthority } from './authority.ts'
import { applyProduction } from './deploy.ts'
import { bundled, engineNamespaces, startEngines } from './engines.ts'
import { createEngineUsers } from './operator.ts'
import { refuseWrongSettings } from './refusals.ts'

/** Returns the steps of the overlay `production`, for which an operator has chosen accounts. */
export function productionSteps(): readonly TryStep[] {
  const accounts = createAccounts()
  return [
    {
      name: 'production',
      proves: 'the overlay production, as committed, runs on engines with TLS, users and rights',
      isNeeded: true,
      run: (context) => deployProduction(context, accounts),
    },
    {
      name: 'production-message',
      proves: 'two people register by SMS and mail, and a message and an image arrive by TLS',
      run: twoPeople,
    },
    {
      name: 'production-refusals',
      proves: 'a service with a plain link or a shared user ends, and its log says why',
      run: async ({ kubernetes }) => ({ 'settings refused': await refuseWrongSettings(kubernetes) }),
    },
  ]
}

async function deployProduction(context: TryContext, accounts: Accounts) {
  const { kubernetes } = context
  const { kubectl } = kubernetes
  for (const name of [namespace, ...engineNamespaces])
    await kubectl('delete', 'namespace', name, '--ignore-not-found', '--timeout=5m')
  const begun = performance.now()
  const seconds = () => Math.round((performance.now() - begun) / 100) / 10
  const authority = await createAuthority()
  await startEngines(kubernetes, accounts, authority)
  const enginesSeconds = seconds()
  await createEngineUsers(kubernetes, accounts)
  const usersSeconds = seconds()
  const { loweredRequests } = await applyProduction(context, engineSettings(accounts), authority.pem)
  return {
    'seconds until the engines are ready': enginesSeconds,
    'seconds until their users exist': usersSeconds,
    'seconds until every deployment is available': seconds(),
    'processor requests lowered': loweredRequests,
  }
}

async function twoPeople({ kubernetes }: TryContext) {
  const place = [`--namespace=${enginesNamespace}`, 'exec', '--stdin', 'deployment/client']
  const output = await kubernetes.kubectlWith(await bundled('two-people'), ...place, '--', 'node', '-')
  const { acceptedMs, arrivedMs, imageBytes } = JSON.parse(output) as Record<string, number>
  return {
    'message accepted after (ms)': acceptedMs ?? '',
    'message on the socket after (ms)': arrivedMs ?? '',
    'image read back (bytes)': imageBytes ?? '',
  }
}
