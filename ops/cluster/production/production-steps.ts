import { pageBlock } from '../pages/page-block.ts'
import { runBlock } from '../pages/run-block.ts'
import { clock, makeBackup, pasteRestore, wipeDatabases, wipeMedia } from '../steps/backup.ts'
import { markAsOwn } from '../steps/own-namespaces.ts'
import { everyService, rolledOut } from '../steps/replicas.ts'
import { namespace, swap } from '../steps/try-step.ts'
import type { StepResult, TryContext, TryStep } from '../steps/try-step.ts'
import { createAccounts, engineSettings } from './accounts.ts'
import type { Accounts } from './accounts.ts'
import { runAct } from './acts.ts'
import { createAuthority } from './authority.ts'
import { applyProduction, productionTree } from './deploy.ts'
import { engineNamespaces, startEdge, startEngines } from './engines.ts'
import { createEngineUsers, inPod, runAtMongo } from './operator.ts'
import { refuseWrongSettings } from './refusals.ts'
import { mailWithoutTls, nameLostRights } from './rights.ts'

/** Returns the steps of the overlay `production`, for which an operator has chosen accounts. */
export function productionSteps(accounts = createAccounts()): readonly TryStep[] {
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
      run: ({ kubernetes }) => runAct(kubernetes, 'exchange'),
    },
    {
      name: 'production-load',
      proves:
        'eight people send ten messages a second by TLS, within all limits, and none is refused, lost or doubled',
      run: eightPeople,
    },
    {
      name: 'production-refusals',
      proves: 'a service with a plain link or a shared user ends, and its log says why',
      run: async ({ kubernetes }) => ({ 'settings refused': await refuseWrongSettings(kubernetes) }),
    },
    {
      name: 'production-mail',
      proves:
        'a mail server without TLS gets no letter, and notify says so; with TLS again the letter arrives',
      run: mailWithoutTls,
    },
    {
      name: 'production-backup',
      proves: 'a backup brings the data of production back by the lines of docs/backup.md',
      run: (context) => backupAndRestore(context, accounts),
    },
    {
      name: 'production-rights',
      proves:
        'a service that lost a right at Kafka, MongoDB or Redis names it, and is available with the right given back',
      run: ({ kubernetes }) => nameLostRights(kubernetes, accounts),
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
  const { loweredRequests } = await applyProduction(context, engineSettings(accounts), authority)
  await startEdge(kubernetes)
  await markAsOwn(kubernetes, namespace)
  return {
    'seconds until the engines are ready': enginesSeconds,
    'seconds until their users exist': usersSeconds,
    'seconds until every deployment is available': seconds(),
    'processor requests lowered': loweredRequests,
  }
}

/** An operator appoints the administrator, who gives premium to four of eight people, by the lines of the page. */
async function eightPeople(context: TryContext): Promise<StepResult> {
  const { kubernetes } = context
  const administrator = await runAct<{ username: string }>(kubernetes, 'register')
  const line = pageBlock({
    page: 'docs/deploy-kubernetes.md',
    heading: 'Production',
    after: '5. **The first administrator.**',
  })
  const named = swap(line, '<username>', administrator.username)
  await runBlock(named, { kubernetes, folder: productionTree(context) })
  return runAct(kubernetes, 'load', administrator)
}

async function backupAndRestore(context: TryContext, accounts: Accounts): Promise<StepResult> {
  const { kubernetes } = context
  const timed = clock()
  const written = await runAct(kubernetes, 'write')
  const backupSeconds = await timed(() => makeBackup(context))
  await runAtMongo(kubernetes, accounts, `mongosh "mongodb:" --eval '${wipeDatabases}'`)
  await inPod(kubernetes, 'deployment/s3', wipeMedia)
  const restoreSeconds = await timed(() => pasteRestore(context))
  await rolledOut(kubernetes, everyService)
  await runAct(kubernetes, 'read', written)
  return { 'seconds of the backup': backupSeconds, "seconds of the restore's lines": restoreSeconds }
}
