import { waitUntil } from '@sumlock/deployment/wait-until'
import type { Kubernetes } from '../kubernetes.ts'
import { everyService, rolledOut } from '../steps/replicas.ts'
import { namespace } from '../steps/try-step.ts'
import type { StepResult, TryContext } from '../steps/try-step.ts'
import { enginesNamespace } from './accounts.ts'
import type { Accounts } from './accounts.ts'
import { runAct } from './acts.ts'
import { changeRight } from './operator.ts'

const inNamespace = `--namespace=${namespace}`

/** Waits until one line that a replica of a service has written since then has all these parts. */
async function logged({ kubectl }: Kubernetes, service: string, since: Date, parts: readonly string[]) {
  const selector = `--selector=app.kubernetes.io/name=${service}`
  const options = ['--tail=-1', `--since-time=${since.toISOString()}`]
  await waitUntil(
    `a line of ${service} with ${parts.join(' and ')}`,
    async () => {
      const log = await kubectl('logs', inNamespace, selector, ...options)
      if (log.split('\n').some((line) => parts.every((part) => line.includes(part)))) return true
      throw new Error(`Its log ends:\n${log.slice(-1500)}`)
    },
    { timeoutMs: 90_000, everyMs: 1000 },
  )
}

/** A running service loses a right, and its log must name what it may not do. */
const lostRights = [
  {
    service: 'billing',
    change: changeRight.ofBillingToReadUsers,
    named: ['Not authorized to access topics', '"topics":["sumlock.auth.users"]'],
  },
  {
    service: 'notify',
    change: changeRight.ofNotifyToWrite,
    named: ['not authorized on sumlock_notify to execute command', 'findAndModify'],
  },
  {
    service: 'gateway',
    change: changeRight.ofGatewayToItsChannel,
    named: ['NOPERM', 'sumlock:session-invalidated'],
  },
] as const

export async function nameLostRights(kubernetes: Kubernetes, accounts: Accounts): Promise<StepResult> {
  for (const { service, change, named } of lostRights) {
    const since = new Date()
    await change(kubernetes, accounts, false)
    try {
      await logged(kubernetes, service, since, named)
    } finally {
      await change(kubernetes, accounts, true)
    }
  }
  await rolledOut(kubernetes, everyService)
  return { 'lost rights named': lostRights.length }
}

/** Without TLS at the mail server notify starts, sends nothing and says so; with TLS again the letter arrives. */
export async function mailWithoutTls({ kubernetes }: TryContext): Promise<StepResult> {
  const { kubectl } = kubernetes
  const setServer = async (change: 'WITHOUT_TLS=yes' | 'WITHOUT_TLS-') => {
    const mail = ['deployment/mail', `--namespace=${enginesNamespace}`]
    await kubectl('set', 'env', ...mail, change)
    await kubectl('rollout', 'status', ...mail, '--timeout=2m')
  }
  await setServer('WITHOUT_TLS=yes')
  let person
  try {
    await kubectl('rollout', 'restart', 'deployment/notify', inNamespace)
    await rolledOut(kubernetes, ['deployment/notify'])
    const since = new Date()
    person = await runAct(kubernetes, 'register')
    await logged(kubernetes, 'notify', since, ['"reason":"ETLS', 'notice could not be sent'])
    const letters = await runAct<object[]>(kubernetes, 'letters')
    if (letters.length > 0) throw new Error('A mail server without TLS was given a letter.')
  } finally {
    await setServer('WITHOUT_TLS-')
  }
  const startedAt = performance.now()
  await runAct(kubernetes, 'requireLetter', person)
  return {
    'letters without TLS': 0,
    'seconds until the letter came by TLS': Math.round((performance.now() - startedAt) / 1000),
  }
}
