/** The import rules of STYLE.md. @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'services-keep-to-themselves',
      severity: 'error',
      from: { path: '^services/([^/]+)/' },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'libs-know-no-service',
      severity: 'error',
      from: { path: '^libs/', pathNot: '^libs/[^/]+/test/' },
      to: { path: '^(services|web|dev|testing|ops|load|tools)/', pathNot: '^testing/kit/' },
    },
    {
      name: 'web-imports-client-libs-only',
      severity: 'error',
      from: { path: '^web/src/' },
      to: { path: '^(services|dev|testing|ops|load|tools|libs/(?!contracts|sealing|sync))' },
    },
    {
      name: 'contracts-import-zod-only',
      severity: 'error',
      from: { path: '^libs/contracts/' },
      to: { pathNot: '^(libs/contracts/|node_modules/zod/)' },
    },
    {
      name: 'sealing-imports-nothing',
      severity: 'error',
      from: { path: '^libs/sealing/src/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^libs/sealing/' },
    },
    {
      name: 'sync-is-framework-free',
      severity: 'error',
      from: { path: '^libs/sync/src/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^libs/(sync|contracts)/' },
    },
    {
      name: 'rules-import-no-framework',
      severity: 'error',
      from: { path: '^services/[^/]+/src/(domain|use-cases)/', pathNot: '\\.test\\.ts$' },
      to: {
        path: 'node_modules/(express|kafkajs|mongoose|mongodb|ioredis|socket\\.io|http-proxy-middleware)/',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'kafka-behind-the-bus',
      severity: 'error',
      from: { pathNot: '^(libs/(bus|deployment)|dev/(engines|test))/' },
      to: { path: 'node_modules/kafkajs/' },
    },
    {
      name: 'product-knows-no-test-kit',
      severity: 'error',
      from: {
        path: '^(services/[^/]+/src|libs/[^/]+/src|ops/(jobs|backup)/src|web/src)/',
        pathNot: '(\\.test\\.tsx?$|/test-support/)',
      },
      to: { path: '^(dev|testing)/' },
    },
    {
      name: 'declared-packages-only',
      severity: 'error',
      from: {
        path: '^(services/[^/]+/src|libs/[^/]+/src|ops/(jobs|backup)/src|web/src)/',
        pathNot: '(\\.test\\.tsx?$|/test-support/)',
      },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // Bundles are replaced while this runs beside the tests.
    exclude: { path: '^services/[^/]+/dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
}
