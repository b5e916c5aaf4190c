import type { OpenApiDocument } from '@sumlock/contracts/openapi/document'
import type { Operation, Parameter, Response } from '@sumlock/contracts/openapi/operation'

interface Endpoint {
  method: string
  path: string
  operation: Operation
}

/** Renders the document as one static page: without a script, it needs no exception from the content security policy. */
export function renderPage(document: OpenApiDocument, base: string): string {
  const { info, tags, paths, components } = document
  const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Endpoint => ({ method, path, operation })),
  )
  const ofTag = (tag: string) => endpoints.filter(({ operation }) => operation.tags.includes(tag))
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${escape(info.title)} API</title>
  <link rel="stylesheet" href="${base}/style.css">
</head>
<body>
<header>
  <h1>${escape(info.title)} API</h1>
  <p>${prose(info.description)}</p>
  <p>Served in local mode only. <a href="${base}/openapi.json">openapi.json</a></p>
</header>
<nav aria-label="Operations">
  ${all(tags, ({ name }) => `<h2><a href="#tag-${name}">${name}</a></h2><ul>${all(ofTag(name), navigationEntry)}</ul>`)}
  <h2><a href="#schemas">Schemas</a></h2>
</nav>
<main>
  ${all(tags, ({ name, description }) => `<h2 id="tag-${name}">${name}</h2><p>${prose(description)}</p>${all(ofTag(name), operationSection)}`)}
  <h2 id="security">Security</h2>
  <dl>${all(Object.values(components.securitySchemes), (scheme) => definition(`${code(scheme.name)} ${scheme.in}`, prose(scheme.description)))}</dl>
  <h2 id="schemas">Schemas</h2>
  ${all(Object.entries(components.schemas), ([name, schema]) => `<section id="schema-${name}"><h3>${name}</h3>${json(schema)}</section>`)}
</main>
</body>
</html>
`
}

const navigationEntry = ({ method, path, operation }: Endpoint) =>
  `<li><a href="#${operation.operationId}">${verb(method)} ${escape(path)}</a></li>`

function operationSection({ method, path, operation }: Endpoint): string {
  const { operationId, summary, description, parameters = [], requestBody, responses, security } = operation
  const content = requestBody?.content
  const body = content && 'application/json' in content ? content['application/json'] : undefined
  const csrf = security[0]?.['csrfToken'] ? ' Needs a <a href="#security">CSRF token</a>.' : ''
  return `<section id="${operationId}">
<h3>${verb(method)} ${code(path)}</h3>
<p>${prose(summary)}</p>
<p class="access">${prose(description)}${csrf}</p>
${parameters.length > 0 ? `<h4>Parameters</h4><dl>${all(parameters, parameterEntry)}</dl>` : ''}
${content && !body ? '<h4>Body</h4><p>Any bytes.</p>' : ''}
${body ? `<h4>Body</h4>${json(body.schema)}<h4>Example</h4>${json(body.example)}` : ''}
<h4>Responses</h4>
<dl>${all(Object.entries(responses), ([status, response]) => {
    const isError = Number(status) >= 400
    const paragraphs = all(response.description.split('\n\n'), (line) => `<p>${prose(line)}</p>`)
    // Errors differ in their codes only, which the description lists.
    return definition(status, paragraphs + (isError ? '' : answer(response)))
  })}</dl>
</section>
`
}

const answer = ({ content }: Response) =>
  'application/json' in content ? json(content['application/json'].schema) : '<p>Bytes.</p>'

const parameterEntry = ({ name, in: location, required, description = '', schema }: Parameter) =>
  definition(
    `${code(name)} ${location}${required ? '' : ', optional'}`,
    `<p>${prose(description)}</p>${json(schema)}`,
  )

const all = <T>(items: readonly T[], render: (item: T) => string): string => items.map(render).join('')
const definition = (term: string, content: string) => `<dt>${term}</dt><dd>${content}</dd>`
const verb = (method: string) => `<span class="method ${method}">${method}</span>`
const code = (text: string) => `<code>${escape(text)}</code>`

/** Sentences in which words between backticks are code. */
const prose = (text: string) =>
  all([...text.split('`').entries()], ([index, part]) => (index % 2 === 1 ? code(part) : escape(part)))

/** JSON in which references link to their schemas. */
function json(value: unknown): string {
  const text = escape(JSON.stringify(value, null, 2))
  return `<pre>${text.replace(/#\/components\/schemas\/(\w+)/g, '<a href="#schema-$1">$1</a>')}</pre>`
}

const escape = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
