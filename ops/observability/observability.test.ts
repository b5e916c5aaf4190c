import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '@sumlock/dev/config'
import { serviceNames } from '@sumlock/deployment/service-environment'
import { alerts, expressions, metricsIn } from '@sumlock/testing/observability'
import { parse } from 'yaml'
import { overlays } from '../manifests/overlays.ts'
import { allowedEdges } from '../manifests/test/allowed-edges.ts'
import { ofKind, podOf, renderedManifests } from '../manifests/test/manifest.ts'
import { localPorts, usualPort } from '@sumlock/dev/product/local-ports'

const textOf = (file: string) => readFileSync(join(repoRoot, file), 'utf8')

/** The anchors that code hosts generate from headings. */
const anchorsIn = (markdown: string): string[] =>
  [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )

describe('the alert', () => {
  it.each(alerts().map((rule) => [rule.alert, rule] as const))(
    '%s has a severity, a duration, a summary and a page in the runbook',
    (name, { expr, labels, annotations, ...rule }) => {
      expect(expr.trim()).not.toBe('')
      expect(rule.for).toMatch(/^\d+[smh]$/)
      expect(['critical', 'warning']).toContain(labels?.['severity'])
      expect(annotations?.['summary']?.length).toBeGreaterThan(20)
      const [file, anchor] = annotations?.['runbook_url']?.split('#') ?? []
      expect(file).toBe('docs/runbook.md')
      expect(anchor).toBe(name.toLowerCase())
      expect(anchorsIn(textOf('docs/runbook.md'))).toContain(anchor)
    },
  )
})

it('has one runbook page per alert and no page without an alert', () => {
  const names = alerts().map(({ alert }) => alert)
  expect(new Set(names).size).toBe(names.length)
  const pages = [...textOf('docs/runbook.md').matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
  expect(pages.filter((page) => /^[A-Z]\w+$/.test(page ?? '')).sort()).toEqual(names.sort())
})

it.each(['What it means', 'See it', 'Causes', 'Do', 'Over when'])(
  'the runbook has a part on each page: %s',
  (part) => {
    const pages = textOf('docs/runbook.md').split(/^## /m).slice(1)
    const of = (page: string) => page.split('\n', 1)[0] as string
    const lacking = pages.filter((page) => /^[A-Z]\w+$/.test(of(page)) && !page.includes(`**${part}`))
    expect(lacking.map(of)).toEqual([])
  },
)

it('names only existing alerts in the promtool tests, because promtool does not report unknown ones', () => {
  const { tests } = parse(textOf('ops/observability/alerts.promtest.yaml')) as {
    tests: { alert_rule_test: { alertname: string }[] }[]
  }
  const tried = tests.flatMap(({ alert_rule_test }) => alert_rule_test).map(({ alertname }) => alertname)
  expect(alerts().map(({ alert }) => alert)).toEqual(expect.arrayContaining([...new Set(tried)]))
})

it('shows every metric of an alert in the dashboard', () => {
  const names = new Set(alerts().map(({ alert }) => alert))
  const [watched, shown] = [true, false].map(
    (isAlert) =>
      new Set(
        expressions().flatMap(({ where, expr }) => (names.has(where) === isAlert ? metricsIn(expr) : [])),
      ),
  )
  expect([...(watched ?? [])].filter((metric) => !shown?.has(metric))).toEqual([])
})

interface ScrapeConfig {
  rule_files: string[]
  scrape_configs: {
    job_name: string
    static_configs?: { targets: string[] }[]
    relabel_configs?: { source_labels: string[]; regex?: string; action?: string }[]
  }[]
}

it('configures Prometheus to scrape every service of npm start at its internal port', () => {
  const config = parse(textOf('ops/observability/prometheus/local.yaml')) as ScrapeConfig
  const { services } = localPorts(usualPort)
  const targets = serviceNames.map((name) => `127.0.0.1:${services[name][0]?.internal}`)
  expect(config.scrape_configs[0]?.static_configs?.[0]?.targets.sort()).toEqual(targets.sort())
})

it.each(overlays)('lets Prometheus reach every port that it scrapes in the %s overlay', (overlay) => {
  const text = textOf('ops/observability/prometheus/kubernetes.yaml')
  const [job] = (parse(text) as ScrapeConfig).scrape_configs
  const portName = job?.relabel_configs?.find(({ action }) => action === 'keep')?.regex
  const manifests = renderedManifests(overlay)
  const targets = manifests.flatMap((manifest) =>
    (podOf(manifest)?.spec.containers ?? [])
      .flatMap(({ ports = [] }) => ports)
      .filter(({ name }) => name === portName)
      .map(({ containerPort }) => `the observability namespace → ${manifest.metadata.name}:${containerPort}`),
  )
  expect(targets).toHaveLength(serviceNames.length)
  expect(allowedEdges(manifests)).toEqual(expect.arrayContaining(targets))
  expect(text).toContain('sumlock/observability=yes')
})

it.each([
  ['local', ['../alerts.yaml'], ['sumlock']],
  ['compose', ['../alerts.yaml'], ['sumlock']],
  ['kubernetes', ['../alerts.yaml', '../alerts-kubernetes.yaml'], ['sumlock', 'kube-state-metrics']],
])(
  'loads the alert rules and the jobs that they need in the Prometheus configuration: %s',
  (place, rules, jobs) => {
    const config = parse(textOf(`ops/observability/prometheus/${place}.yaml`)) as ScrapeConfig
    expect(config.rule_files).toEqual(rules)
    expect(config.scrape_configs.map(({ job_name }) => job_name)).toEqual(jobs)
  },
)

it.each(overlays)(
  'names the nightly backup CronJob of the %s overlay in BackupOverdue, and waits longer than a day',
  (overlay) => {
    const rule = alerts().find(({ alert }) => alert === 'BackupOverdue')
    const watched = [...(rule?.expr ?? '').matchAll(/namespace="([^"]+)",cronjob="([^"]+)"/g)]
    expect(watched.length).toBeGreaterThan(0)
    const manifests = renderedManifests(overlay)
    for (const [, namespace, name] of watched) {
      const job = ofKind(manifests, 'CronJob').find(({ metadata }) => metadata.name === name)
      expect(job?.metadata.namespace).toBe(namespace)
      expect(job?.spec?.['schedule']).toMatch(/^\d+ \d+ \* \* \*$/)
    }
    const [, hours] = />\s*(\d+) \* 3600/.exec(rule?.expr ?? '') ?? []
    expect(Number(hours)).toBeGreaterThan(24)
  },
)
