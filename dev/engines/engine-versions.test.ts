import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoRoot } from '../config.ts'
import { engineVersions } from '@sumlock/deployment/engine-versions'

const natives = Object.entries(engineVersions).flatMap(([name, engine]) => [
  { name, ...withReason(engine.native) },
  ...('nativeOnMac' in engine ? [{ name, ...withReason(engine.nativeOnMac) }] : []),
  ...('nativeWithoutGo' in engine ? [{ name, ...withReason(engine.nativeWithoutGo) }] : []),
])

function withReason(native: { version: string; supportedUntil: string | null; unsupportedBecause?: string }) {
  const { version, supportedUntil, unsupportedBecause } = native
  const isSupported = supportedUntil === null || Date.parse(supportedUntil) > Date.now()
  return { version, isSupported, unsupportedBecause }
}

describe('the engines of `npm start` and `npm test`', () => {
  it('are supported by their makers, except MongoDB', () => {
    const unsupported = natives.filter(({ isSupported }) => !isSupported)
    expect(unsupported.map(({ name, version }) => `${name} ${version}`)).toEqual(['mongo 6.0.5'])
  })

  it('have a reason exactly when their support has ended', () => {
    const wrong = natives.filter(
      ({ isSupported, unsupportedBecause }) => isSupported === !!unsupportedBecause,
    )
    expect(wrong).toEqual([])
  })

  it.each(['README.md', 'docs/STATUS.md'])('are named in %s when their support has ended', (page) => {
    const text = readFileSync(join(repoRoot, page), 'utf8')
    expect(text).toContain(`MongoDB ${engineVersions.mongo.native.version}`)
    expect(text).toContain('npm run test:containers')
  })

  it.each(['kafka', 'redis', 's3', 'inbox'] as const)(
    'have for %s the major version of the image',
    (name) => {
      const { native, image } = engineVersions[name]
      const deployed = /:v?(\d+)\./.exec(image)?.[1]
      expect(native.version.split('.')[0]).toBe(deployed)
    },
  )
})
