import { randomBytes } from 'node:crypto'
import type { Kubernetes } from '../kubernetes.ts'
import { pageBlock } from '../pages/page-block.ts'
import { pagePlaces } from '../pages/page-places.ts'
import { pageTree } from '../pages/page-tree.ts'
import { runBlock } from '../pages/run-block.ts'
import { makePair } from './crowd.ts'
import { openEdge } from './edge.ts'
import { requireBoth, sendBoth, sendOne } from './messages.ts'
import { everyService, rolledOut } from './replicas.ts'
import { namespace } from './try-step.ts'
import type { TryContext, TryStep } from './try-step.ts'

const inNamespace = `--namespace=${namespace}`

export const backup: TryStep = {
  name: 'backup',
  proves: 'a backup brings the data back by the lines of docs/backup.md, and a wrong key leaves all stopped',
  async run(context) {
    const { kubernetes } = context
    const { kubectl } = kubernetes
    const timed = clock()
    await kubectl('delete', 'job', 'backup-now', 'restore', inNamespace, '--ignore-not-found')
    const edge = await openEdge(kubernetes)
    try {
      const pair = await makePair(edge.url)
      const image = await sendBoth(pair)
      const backupSeconds = await timed(() => makeBackup(context))
      await sendOne(pair, 'after the backup')
      await wipe(kubernetes)

      const wrongKeySeconds = await timed(() => refuseWrongKey(context))
      const restoreSeconds = await timed(() => pasteRestore(context))
      await rolledOut(kubernetes, everyService)
      await requireBoth(pair, image)
      return {
        'seconds of the backup': backupSeconds,
        'seconds until a restore with a wrong key had ended': wrongKeySeconds,
        'services that run after it': 0,
        "seconds of the restore's lines": restoreSeconds,
        'messages and images of the conversation after it': '1 and 1',
      }
    } finally {
      await edge.close()
    }
  },
}

export const clock = () => async (work: () => Promise<unknown>) => {
  const startedAt = performance.now()
  await work()
  return Math.round((performance.now() - startedAt) / 100) / 10
}

/** Runs the page's lines for a backup at once. */
export async function makeBackup(context: TryContext): Promise<void> {
  const { kubernetes } = context
  const block = pageBlock(pagePlaces.backup)
  await kubernetes.watched({ namespace }, async (signal, kubectl) => {
    await runBlock(block, { kubernetes, folder: pageTree(context), signal })
    await kubectl('wait', inNamespace, 'job/backup-now', '--for=condition=complete', '--timeout=5m')
  })
}

/** These delete what the services have stored, as a disaster does: with mongosh, and in the store. The users stay. */
export const wipeDatabases = `db.adminCommand({ listDatabases: 1 }).databases.map(({ name }) => name)
  .filter((name) => !["admin", "config", "local"].includes(name))
  .map((name) => db.getSiblingDB(name).dropDatabase().ok)`
export const wipeMedia = 'rm -rf /data/*/*'

async function wipe({ kubectl }: Kubernetes): Promise<void> {
  const shell = `mongosh --quiet --username "$MONGO_INITDB_ROOT_USERNAME" --password "$MONGO_INITDB_ROOT_PASSWORD" --eval '${wipeDatabases}'`
  await kubectl('exec', inNamespace, 'mongo-0', '--container=mongo', '--', 'bash', '-c', shell)
  await kubectl('exec', inNamespace, 's3-0', '--', 'sh', '-c', wipeMedia)
}

/** Pastes the restore of the page. */
export const pasteRestore = (context: TryContext) =>
  runBlock(pageBlock(pagePlaces.restore), {
    kubernetes: context.kubernetes,
    folder: pageTree(context),
    mode: 'paste',
  })

/** Restores with another key than the backup's. The Job must fail, and no service may have been started. */
async function refuseWrongKey(context: TryContext): Promise<void> {
  const { kubectl } = context.kubernetes
  const path = '--output=jsonpath={.data.BACKUP_KEY}'
  const rightKey = await kubectl('get', 'secret', 'backup', inNamespace, path)
  const setKey = (key: string) =>
    kubectl(
      'patch',
      'secret',
      'backup',
      inNamespace,
      `--patch=${JSON.stringify({ data: { BACKUP_KEY: key } })}`,
    )
  await setKey(Buffer.from(randomBytes(32).toString('hex')).toString('base64'))
  try {
    const answer = await pasteRestore(context).catch(String)
    if (!answer.includes('Not restored')) throw new Error(`A restore with a wrong key answered: ${answer}`)
  } finally {
    await setKey(rightKey)
  }
  await kubectl('wait', 'job/restore', inNamespace, '--for=condition=failed', '--timeout=30s')
  const replicas = '--output=jsonpath={range .items[?(@.spec.replicas>0)]}{.metadata.name} {end}'
  const running = await kubectl('get', ...everyService, inNamespace, replicas)
  if (running.trim() !== '')
    throw new Error(`After a restore with a wrong key these services were started: ${running.trim()}.`)
}
