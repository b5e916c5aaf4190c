/** A caller tries to connect to a port of a callee; both are names as in `ops/manifests/edges.ts`. */
export interface Probe {
  caller: string
  callee: string
  port: number
}

export interface Callee {
  name: string
  address: string
  ports: readonly number[]
}

export type ProbeAnswer = 'open' | 'refused' | 'timeout'

export const edgeOf = ({ caller, callee, port }: Probe): string => `${caller} → ${callee}:${port}`

/** Returns one probe for every caller and every port of every other workload. */
export const allProbes = (callers: readonly string[], callees: readonly Callee[]): Probe[] =>
  callers.flatMap((caller) =>
    callees
      .filter(({ name }) => name !== caller)
      .flatMap(({ name, ports }) => ports.map((port) => ({ caller, callee: name, port }))),
  )

export interface ProbeVerdict {
  open: number
  closed: number
  /** These sentences name the connections that are not as `edges.ts` says. */
  faults: string[]
}

/** Compares the answers, by edge, with the allowed edges. An edge whose probe is missing is a fault, too. */
export function judgeProbes(
  probes: readonly Probe[],
  answers: ReadonlyMap<string, ProbeAnswer>,
  allowed: readonly string[],
): ProbeVerdict {
  const probed = new Set(probes.map(edgeOf))
  const wrong = [...probed].flatMap((edge) => {
    const answer = answers.get(edge)
    if (answer === undefined) return [`${edge} was not probed`]
    if (allowed.includes(edge) === (answer === 'open')) return []
    return [answer === 'open' ? `${edge} is open and must be closed` : `${edge} is closed (${answer})`]
  })
  const missing = allowed.filter((edge) => !probed.has(edge)).map((edge) => `${edge} has no probe`)
  const open = [...probed].filter((edge) => answers.get(edge) === 'open').length
  return { open, closed: probed.size - open, faults: [...wrong, ...missing] }
}
