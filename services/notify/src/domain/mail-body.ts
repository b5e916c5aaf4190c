/** A part of a mail is a paragraph or a button that links to a page. */
export type Part = string | { label: string; link: string }

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

const block = (html: string) => `<p style="margin:0 0 16px">${html}</p>`
const button = 'background:#a34a08;color:#fff;padding:12px 20px;border-radius:12px;text-decoration:none'

function toHtml(part: Part): string {
  if (typeof part === 'string') return block(escape(part))
  const link = escape(part.link)
  return [
    block(`<a href="${link}" style="display:inline-block;${button}">${escape(part.label)}</a>`),
    block(`Or open this address: <a href="${link}" style="color:#a34a08;word-break:break-all">${link}</a>`),
  ].join('')
}

/**
 * Returns the same content as plain text and as HTML. Each HTML element has its own style, because many mail programs drop
 * style sheets.
 */
export function mailBody(parts: readonly Part[]): { text: string; html: string } {
  const lines = parts.map((part) => (typeof part === 'string' ? part : `${part.label}:\n${part.link}`))
  const content = parts.map(toHtml).join('')
  const frame = 'max-width:480px;margin:0 auto;padding:24px;font:16px/24px sans-serif;color:#14171c'
  return {
    text: `${lines.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Calculator</title></head><body style="margin:0;background:#fff"><div style="${frame}">${content}</div></body></html>`,
  }
}
