import { readFileSync } from 'node:fs'
import { productImages } from '../../images/product-images.ts'
import { renderedFile } from '../../manifests/overlays.ts'
import { blockIn, pageBlock } from './page-block.ts'
import { pagePlaces } from './page-places.ts'

const page = `# A page

## On your own machine

1. **Images.** Build them.

   \`\`\`sh
   docker build .
   \`\`\`

2. **Secrets.** Keep them.

   \`\`\`sh
   # A comment is no heading.
   for one in a b; do
     kubectl apply -f $one
   done
   \`\`\`

## Restore

Compose:

    docker compose stop
    docker compose up -d

A cluster:

    kubectl scale \\
      | jq .

Text.

## Empty
`
const block = (heading: string, after?: string) =>
  blockIn(page, { page: 'a.md', heading, ...(after === undefined ? {} : { after }) })

describe('blockIn', () => {
  it('returns the first block of a section', () => {
    expect(block('On your own machine')).toBe('docker build .')
  })

  it('returns a block of a list without its indentation', () => {
    expect(block('On your own machine', '2. **Secrets.**')).toBe(
      '# A comment is no heading.\nfor one in a b; do\n  kubectl apply -f $one\ndone',
    )
  })

  it('returns an indented block', () => {
    expect(block('Restore', 'A cluster:')).toBe('kubectl scale \\\n  | jq .')
  })

  it('ends an indented block before the text that follows', () => {
    expect(block('Restore')).toBe('docker compose stop\ndocker compose up -d')
  })

  it.each([
    ['Nothing', undefined, 'a.md has no section "Nothing" any more.'],
    ['Restore', 'kind:', 'a.md, "Restore": no line begins with "kind:" any more.'],
    ['Empty', undefined, 'a.md, "Empty": no block of commands follows "" any more.'],
  ])('refuses the section "%s" after %s', (heading, after, reason) => {
    expect(() => block(heading, after)).toThrow(reason)
  })
})

it.each([
  ['secrets', 'npm run k8s:secrets -- local'],
  ['everythingElse', 'kubectl apply -k k8s/deploy/local'],
  ['certificate', 'create secret tls calculator-tls --cert=… --key=…'],
  ['newVersion', 'kubectl apply -k k8s/deploy/production'],
  ['backup', 'create job backup-now --from=cronjob/backup'],
  ['restore', '--from=cronjob/backup --dry-run=client'],
] as const)('finds the block "%s" in its page, with %s', (name, line) => {
  expect(pageBlock(pagePlaces[name])).toContain(line)
})

it('loads our images into kind, and nothing else that looks like one', () => {
  const [, pattern = ''] = /grep -o '([^']+)'/.exec(pageBlock(pagePlaces.images)) ?? []
  const found = readFileSync(renderedFile('local'), 'utf8').match(new RegExp(pattern, 'g')) ?? []
  const names = new Set(found.map((image) => image.split(':')[0]))
  expect([...names].sort()).toEqual(productImages.map(({ name }) => name).sort())
})
