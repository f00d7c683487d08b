import { phraseOf, type ErrorFacts } from './error-facts.ts'
import { textOf, writeAnyJson } from './write-any-json.ts'

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;'
}
const style = [
  ':root{color-scheme:light dark}',
  'body{font:16px/1.5 system-ui,sans-serif;max-width:46rem;margin:12vh auto;padding:0 1.5rem}',
  'h1{font-size:1.5rem;font-weight:600;margin:0 0 .5rem}',
  'p{margin:0 0 1rem;overflow-wrap:anywhere}',
  'code{opacity:.7}',
  'pre{font-size:.8rem;padding:1rem;overflow:auto;border:1px solid color-mix(in srgb,currentColor 25%,transparent);border-radius:6px}'
].join('')

/**
 * A page that shows an error to a person. It shows what `facts` hold and nothing else, so a stack only with `debug`.
 * Loads nothing and runs no script.
 */
export function errorPage(statusCode: number, facts: ErrorFacts): string {
  const { name, message, code, details, stack } = facts
  const title = `${statusCode} ${phraseOf(statusCode)}`
  const parts = [
    `<h1>${escapeHtml(title)}</h1>`,
    paragraph(name === undefined || name === 'Error' ? message : `${textOf(name)}: ${textOf(message ?? '')}`),
    code === undefined ? '' : `<p><code>${escapeHtml(code)}</code></p>`,
    details === undefined ? '' : block(writeAnyJson(details, 2)),
    stack === undefined ? '' : block(stack)
  ]
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
${parts.filter(Boolean).join('\n')}
</body>
</html>
`
}

function paragraph(text: unknown): string {
  return text === undefined || text === '' ? '' : `<p>${escapeHtml(text)}</p>`
}

function block(text: unknown): string {
  return `<pre>${escapeHtml(text)}</pre>`
}

function escapeHtml(text: unknown): string {
  return textOf(text).replace(/[&<>"']/g, (character) => entities[character] ?? character)
}
