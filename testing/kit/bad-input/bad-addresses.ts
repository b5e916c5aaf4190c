import type { z } from 'zod'

export interface AddressCase {
  name: string
  target: string
}

/** Other spellings of a path. None of them may lead to what the path leads to. */
export function otherSpellings(path: string): AddressCase[] {
  const last = path.lastIndexOf('/')
  const joined = (separator: string) => `${path.slice(0, last)}${separator}${path.slice(last + 1)}`
  const encoded = (letter: string) => `%${letter.charCodeAt(0).toString(16)}`
  return [
    `/${path}`,
    `/.${path}`,
    `/x/..${path}`,
    `/api/%2e%2e${path}`,
    `/api/%2E%2E${path}`,
    `/api/..;${path}`,
    `/api/%252e%252e${path}`,
    path.replace('/api/', '/api\\'),
    path.replace('/api/', '/api/./'),
    path.replace('/api/', '/API/'),
    path.replace('/api/', '/api%2f'),
    path.replace('/api/', '/api%5c'),
    path.replace('/api/', '/api;x=1/'),
    joined('//'),
    joined('%2F'),
    joined('/%20'),
    `${path}/`,
    `${path}.`,
    `${path}%2e`,
    `${path}/.`,
    `${path}/..`,
    `${path}%00`,
    `${path}%00.html`,
    `${path}%20`,
    `${path}%0d%0aset-cookie:a=b`,
    `${path};x=1`,
    `${path}%3fx=1`,
    `${path}%ff`,
    `${path}.json`,
    `${path.slice(0, -1)}${encoded(path.at(-1) as string)}`,
    `http://elsewhere.example${path}`,
    `${path}${'/x'.repeat(2000)}`,
  ].map((target) => ({ name: `path ${target.slice(0, 60)}`, target }))
}

const badIds = [
  ...[
    'x',
    '__proto__',
    'constructor',
    '$gt',
    '[$gt]',
    '%7B%22$gt%22:%22%22%7D',
    '1',
    '*',
    '%25',
    '%ff',
    '%c0%ae',
  ],
  ...['%F0%9F%98%80', '%ED%A0%80', '%E2%80%AE', '%00', '..', '%2e%2e', 'null', 'undefined', '{id}', ':id'],
  ...['00000000-0000-0000-0000-00000000000g', `${'9'.repeat(1500)}`],
]

/** Path with its parameters filled in. */
export const fillPath = (path: string, params: Readonly<Record<string, string>>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => params[name] ?? '')

/** Every parameter of a path with everything that is no id. */
export function badParams(path: string, params: Readonly<Record<string, string>>): AddressCase[] {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string)
  return names.flatMap((name) =>
    badIds.map((value) => ({
      name: `${name} ${value.slice(0, 40)}`,
      target: fillPath(path, { ...params, [name]: value }),
    })),
  )
}

const badQueryValues = [
  ...['x', '1.5', '-1', '1e400', 'NaN', '[]', '{}', '%00', '%ff', 'true', '9'.repeat(40)],
  // What a careless reading takes for a number.
  ...['', '%20', '0x10', '1e1', '%205', '5%20', '%2B5', '5.0', '1_0'],
]

/** Every field of a query with what it must not be. */
export function badQueries(target: string, schema: z.ZodObject): AddressCase[] {
  const searches = [
    ...Object.keys(schema.shape).flatMap((field) => [
      ...badQueryValues.map((value) => `${field}=${value}`),
      ...[
        `${field}[]=1`,
        `${field}[$gt]=`,
        `${field}=1&${field}=2`,
        `${field}.$ne=1`,
        `${field}=1;${field}=2`,
      ],
    ]),
    ...['unknown=1', '__proto__=1', '__proto__[isAdmin]=1', 'constructor=1', '$where=1', '_method=DELETE'],
  ]
  return searches.map((search) => ({ name: `query ${search}`, target: `${target}?${search}` }))
}
