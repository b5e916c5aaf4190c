import { setTimeout as wait } from 'node:timers/promises'
import { edges } from '../../manifests/edges.ts'
import type { Kubernetes } from '../kubernetes.ts'
import { allProbes, judgeProbes } from './probe-plan.ts'
import type { Callee, ProbeAnswer, ProbeVerdict } from './probe-plan.ts'
import { findCallees, probeFrom, probers, startProbers, stopProbers } from './probe-pods.ts'
import type { Prober } from './probe-pods.ts'
import type { TryStep } from './try-step.ts'

/** The network takes a moment to enforce its policies for a new pod, so that a wrong answer is asked for again. */
const rounds = 5
const betweenRoundsMs = 3000

export const policies: TryStep = {
  name: 'policies',
  proves: 'every connection of ops/manifests/edges.ts is open, and every other one is closed',
  async run({ kubernetes }) {
    const all = probers()
    try {
      await startProbers(kubernetes, all)
      const callees = await findCallees(kubernetes, all)
      const { verdict, unresolved } = await probeUntilRight(kubernetes, all, callees)
      requireRight(verdict, unresolved)
      return {
        'pods that probed': all.length,
        'connections that are open': verdict.open,
        'connections that are closed': verdict.closed,
        'pods that resolve names': all.length,
      }
    } finally {
      await stopProbers(kubernetes)
    }
  },
}

interface ProbedNetwork {
  verdict: ProbeVerdict
  /** These pods did not resolve a name. */
  unresolved: string[]
}

async function probeUntilRight(
  kubernetes: Kubernetes,
  all: readonly Prober[],
  callees: readonly Callee[],
): Promise<ProbedNetwork> {
  const probes = allProbes(
    all.map(({ name }) => name),
    callees,
  ).filter(({ caller, callee }) => !(isOutside(caller) && isOutside(callee)))
  const answers = new Map<string, ProbeAnswer>()
  let asked = all
  for (let round = 1; ; round += 1) {
    const unresolved: string[] = []
    for (const prober of asked) {
      const own = probes.filter(({ caller }) => caller === prober.name)
      const found = await probeFrom(kubernetes, prober, own, callees)
      for (const [edge, answer] of found.answers) answers.set(edge, answer)
      if (!found.resolvesNames) unresolved.push(prober.name)
    }
    const verdict = judgeProbes(probes, answers, edges.local)
    const isWrong = ({ name }: Prober) =>
      unresolved.includes(name) || verdict.faults.some((fault) => fault.startsWith(`${name} → `))
    asked = all.filter(isWrong)
    if (asked.length === 0 || round === rounds) return { verdict, unresolved }
    await wait(betweenRoundsMs)
  }
}

const isOutside = (name: string): boolean => name.includes(' ')

function requireRight({ open, closed, faults }: ProbeVerdict, unresolved: readonly string[]): void {
  if (closed === 0)
    throw new Error(`All ${open} connections are open: this cluster does not enforce NetworkPolicies.`)
  const lines = [...faults, ...unresolved.map((name) => `${name} resolves no name`)]
  if (lines.length === 0) return
  throw new Error(`${lines.length} of ${open + closed} connections are wrong:\n    ${lines.join('\n    ')}`)
}
