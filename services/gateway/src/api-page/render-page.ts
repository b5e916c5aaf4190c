import type { OpenApiDocument } from '@sumlock/contracts/openapi/document'
import type { Answer, Operation } from '@sumlock/contracts/openapi/operation'
import { html, prose } from './html.ts'
import type { Html } from './html.ts'
import { renderSchema } from './render-schema.ts'

interface Place {
  method: string
  path: string
  operation: Operation
}

/** The document as one page without scripts. */
export function renderPage(document: OpenApiDocument, base: string): string {
  const places = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Place => ({ method, path, operation })),
  )
  const groups = document.tags.map((tag) => ({
    ...tag,
    places: places.filter(({ operation }) => operation.tags.includes(tag.name)),
  }))
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${document.info.title} API</title>
        <link rel="stylesheet" href="${base}/style.css" />
      </head>
      <body>
        <header>
          <h1>${document.info.title} API</h1>
          <p>${prose(document.info.description)}</p>
          <p>Served in local mode only. <a href="${base}/openapi.json">openapi.json</a></p>
        </header>
        <nav aria-label="Operations">
          ${groups.map((group) => renderContents(group.name, group.places))}
          <h2><a href="#schemas">Schemas</a></h2>
        </nav>
        <main>
          ${groups.map(
            ({ name, description, places: own }) =>
              html`<h2 id="tag-${name}">${name}</h2>
                <p>${description}</p>
                ${own.map(renderOperation)}`,
          )}
          <h2 id="security">Signing in</h2>
          <ul class="fields">
            ${Object.values(document.components.securitySchemes).map(
              ({ name, in: place, description }) =>
                html`<li>
                  <code>${name}</code> <span class="type">${place}</span>
                  <p>${prose(description)}</p>
                </li>`,
            )}
          </ul>
          <h2 id="schemas">Schemas</h2>
          ${Object.entries(document.components.schemas).map(
            ([name, { description, ...schema }]) =>
              html`<section id="schema-${name}">
                <h3>${name}</h3>
                ${typeof description === 'string' ? html`<p>${prose(description)}</p>` : undefined}
                ${renderSchema(schema)}
              </section>`,
          )}
        </main>
      </body>
    </html>`
  return page.text
}

const renderContents = (name: string, places: readonly Place[]): Html =>
  html`<h2><a href="#tag-${name}">${name}</a></h2>
    <ul>
      ${places.map(
        ({ method, path, operation }) =>
          html`<li>
            <a href="#${operation.operationId}"><span class="method ${method}">${method}</span> ${path}</a>
          </li>`,
      )}
    </ul>`

const renderOperation = ({ method, path, operation }: Place): Html =>
  html`<section id="${operation.operationId}">
    <h3><span class="method ${method}">${method}</span> <code>${path}</code></h3>
    <p>${prose(operation.summary)}</p>
    <p class="access">
      ${operation.description}
      ${operation.security[0]?.['csrfToken'] ? html`<a href="#security">CSRF token</a> needed.` : undefined}
    </p>
    ${renderParameters(operation)}
    ${
      operation.requestBody
        ? html`<h4>Body</h4>
            ${renderSchema(operation.requestBody.content['application/json'].schema)}`
        : undefined
    }
    <h4>Answers</h4>
    ${Object.entries(operation.responses).map(([status, answer]) => renderAnswer(status, answer))}
  </section>`

function renderParameters({ parameters = [] }: Operation): Html | undefined {
  if (parameters.length === 0) return undefined
  return html`<h4>Parameters</h4>
    <ul class="fields">
      ${parameters.map(
        ({ name, in: place, required, description, schema }) =>
          html`<li>
            <code>${name}</code> <span class="optional">${place}${required ? '' : ', optional'}</span>
            ${renderSchema(schema)} ${description ? html`<p>${prose(description)}</p>` : undefined}
          </li>`,
      )}
    </ul>`
}

/** A refusal is told by its codes; its body is the same everywhere. */
function renderAnswer(status: string, { description, content }: Answer): Html {
  const isRefusal = Number(status) >= 400
  return html`<div class="answer ${isRefusal ? 'refusal' : 'success'}">
    <span class="status">${status}</span>
    <div>
      ${
        isRefusal
          ? description.split('\n\n').map((line) => html`<p>${prose(line)}</p>`)
          : renderSchema(content['application/json'].schema)
      }
    </div>
  </div>`
}
