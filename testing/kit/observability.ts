import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { parse } from 'yaml'

export interface Alert {
  alert: string
  expr: string
  for?: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
}

interface Dashboard {
  panels: { title: string; targets?: { expr: string }[] }[]
}

const folder = join(repoRoot, 'ops/observability')
const textOf = (...path: string[]) => readFileSync(join(folder, ...path), 'utf8')

const rulesOf = (file: string): Alert[] =>
  (parse(textOf(file)) as { groups: { rules: Alert[] }[] }).groups.flatMap(({ rules }) => rules)

/** Returns the rules of ops/observability/alerts*.yaml. */
export const alerts = (): Alert[] => ['alerts.yaml', 'alerts-kubernetes.yaml'].flatMap(rulesOf)

/** These metrics come from kube-state-metrics, and no service of ours exposes them. */
export const clusterMetrics = ['kube_cronjob_created', 'kube_cronjob_status_last_successful_time'] as const

/** Returns every expression of the alerts and dashboards, with the name of its alert or panel. */
export function expressions(): { where: string; expr: string }[] {
  const files = readdirSync(join(folder, 'grafana'))
  const panels = files.flatMap((file) => (JSON.parse(textOf('grafana', file)) as Dashboard).panels)
  return [
    ...alerts().map(({ alert, expr }) => ({ where: alert, expr })),
    ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ where: title, expr }))),
  ]
}

const words = new Set(['and', 'or', 'unless', 'bool', 'offset', 'inf', 'nan'])
const groupings = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g

/**
 * Returns the metrics that a PromQL expression reads. These are its names that are not functions, keywords or labels.
 */
export function metricsIn(expr: string): string[] {
  const bare = expr
    .replace(/\{[^}]*\}/g, ' ')
    .replace(/\[[^\]]*\]/g, ' ')
    .replace(/"[^"]*"/g, ' ')
    .replace(groupings, ' ')
  const names = [...bare.matchAll(/(?<![\w.])[a-zA-Z_:][\w:]*(?!\w)(?!\s*\()/g)].map(([name]) => name)
  return [...new Set(names.filter((name) => !words.has(name.toLowerCase())))]
}

/** Returns the labels by which an expression selects series, each with its metric. */
export const selectorsIn = (expr: string): { metric: string; label: string }[] =>
  [...expr.matchAll(/([a-zA-Z_:][\w:]*)\{([^}]*)\}/g)].flatMap(([, metric = '', inside = '']) =>
    [...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => ({ metric, label })),
  )
