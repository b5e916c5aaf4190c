/** The folders of the client in their one order: each imports only those before it. */
const clientFolders = [
  ...['shared/lib', 'features/device', 'api', 'shared/ui', 'features/legal', 'features/calculator'],
  ...['features/sealed', 'features/lock', 'features/session', 'features/mail-links', 'features/auth'],
  ...['features/unlock', 'features/media', 'features/delivery', 'features/conversations'],
  ...['features/conversation-options', 'features/chat', 'features/premium', 'features/settings'],
  ...['features/not-found', 'features/admin', 'app'],
]
const isClientTest = '\\.test\\.tsx?$'

/** The import rules of STYLE.md. @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      // A table of lazy parts is part of a circle by its dynamic imports alone; a rule below sees to that.
      to: { circular: true, viaOnly: { pathNot: '^web/src/app/chunks/', dependencyTypesNot: ['type-only'] } },
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
    ...clientFolders
      .map((folder, index) => ({
        name: `web-order-${folder}`,
        severity: 'error',
        from: { path: `^web/src/${folder}/`, pathNot: isClientTest },
        to: {
          path: `^web/src/(${[...clientFolders.slice(index + 1), 'main'].join('|')})[/.]`,
          pathNot: '^web/src/app/chunks/unlocked\\.tsx$',
        },
      }))
      .slice(0, -1),
    {
      name: 'web-folders-have-a-place-in-the-order',
      severity: 'error',
      from: {
        path: '^web/src/',
        pathNot: `^web/src/((${clientFolders.join('|')})/|main\\.tsx$|page\\.ts$|vite-env\\.d\\.ts$)`,
      },
      to: {},
    },
    {
      name: 'page-names-types-only',
      severity: 'error',
      from: { path: '^web/src/page\\.ts$' },
      to: { path: '^web/src/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'lazy-parts-are-imported-late',
      severity: 'error',
      from: { path: '^web/src/app/chunks/' },
      to: { path: '^web/src/(app|features/(?!device/))', dynamic: false },
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
