import js from '@eslint/js'
import reactHooks from 'eslint-plugin-react-hooks'
import globals from 'globals'
import tseslint from 'typescript-eslint'

const restricted = [
  { selector: 'TSEnumDeclaration', message: 'Use a union of literals.' },
  {
    selector: 'ExportDefaultDeclaration',
    message: 'Use a named export (unless a tool demands a default).',
  },
  {
    selector: 'VariableDeclarator > NewExpression[callee.name="AppError"]',
    message: 'Create an error where it is thrown: its constructor captures the stack.',
  },
  {
    // A `database` is one of IndexedDB.
    selector:
      'CallExpression[callee.property.name=/^(transaction|withTransaction)$/][callee.object.name!="database"]',
    message: 'Use `transact`: the driver repeats a transaction for two minutes.',
  },
]

/** State of a module outlives its page and its session, and a test cannot make it anew. */
const inModule = ':matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration'
const moduleState = [
  `${inModule}[kind="let"]`,
  `${inModule} > VariableDeclarator > :matches(ArrayExpression[elements.length=0], ObjectExpression[properties.length=0])`,
  `${inModule} > VariableDeclarator > CallExpression[callee.name=/^create(?!Context$)/]`,
  // Annotated as readonly, a collection is a constant.
  `${inModule} > VariableDeclarator:not([id.typeAnnotation.typeAnnotation.typeName.name=/^Readonly(Set|Map)$/]) > NewExpression[callee.name!=/^(RegExp|Uint8Array)$/]`,
].map((selector) => ({ selector, message: 'Keep state in an object that is created, passed and closed.' }))

export default tseslint.config(
  { ignores: ['**/node_modules', '**/dist', '.data', 'artifacts', 'docs'] },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { attributes: false, arguments: false } },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-empty-object-type': 'off',
      // Our objects are closures: nothing here depends on `this`.
      '@typescript-eslint/unbound-method': 'off',
      'no-restricted-syntax': ['error', ...restricted],
    },
  },
  {
    files: [
      '{libs,services,dev}/**/*.ts',
      'ops/{backup,jobs}/**/*.ts',
      'testing/kit/**/*.ts',
      'web/src/**/*.{ts,tsx}',
    ],
    ignores: ['**/config.ts', 'dev/{commands,product}/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'The environment is read in config.ts only.' },
      ],
    },
  },
  {
    files: ['**/*.test.ts', '**/*.test.tsx', '**/test/**', '**/e2e/**', 'testing/system/**'],
    rules: { '@typescript-eslint/no-unsafe-assignment': 'off' },
  },
  {
    files: ['web/src/**/*.{ts,tsx}'],
    ignores: [
      'web/src/**/*.test.{ts,tsx}',
      // The exceptions are the page itself, RTK's definition of the endpoints, the browser's stores, and the queue that
      // keeps one picture in memory at a time.
      'web/src/main.tsx',
      'web/src/api/base-api.ts',
      'web/src/features/device/safe-storage.ts',
      'web/src/features/media/prepare/prepare-picture.ts',
    ],
    rules: { 'no-restricted-syntax': ['error', ...restricted, ...moduleState] },
  },
  {
    files: ['{libs,services}/*/src/**/*.ts', 'web/{src,gallery}/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}'],
    rules: { 'max-lines-per-function': ['error', 80], 'max-lines': ['error', 250] },
  },
  { files: ['**/*.config.{ts,mjs}', 'web/e2e/**'], rules: { 'no-restricted-syntax': 'off' } },
  {
    files: ['web/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    languageOptions: { globals: globals.browser },
    rules: {
      ...reactHooks.configs.recommended.rules,
      // A connection is opened in an effect and passed down as state.
      'react-hooks/set-state-in-effect': 'off',
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: { globals: globals.node },
  },
)
