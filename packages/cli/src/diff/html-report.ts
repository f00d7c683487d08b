import type { Difference } from './compare.ts'
import type { Outcome } from './run-diff.ts'

/** What a report is about. */
export interface ReportFacts {
  readonly old: string
  readonly new: string
  readonly outcomes: readonly Outcome[]
}

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const show = (value: unknown): string =>
  value === undefined ? '<i>absent</i>' : `<code>${escape(JSON.stringify(value).slice(0, 500))}</code>`

const row = ({ where, kind, old, new: now }: Difference): string =>
  `<tr><td>${escape(kind)}</td><td><code>${escape(where)}</code></td><td>${show(old)}</td><td>${show(now)}</td></tr>`

function section({ request, old, new: now, differences }: Outcome): string {
  const body = request.body === undefined ? '' : `<pre>${escape(request.body.slice(0, 2000))}</pre>`
  return `<details open><summary><b>${escape(request.method)}</b> <code>${escape(request.path)}</code>
<span>${old.status} → ${now.status}, ${differences.length} ${differences.length === 1 ? 'difference' : 'differences'}</span></summary>${body}
<div class="scroll"><table><thead><tr><th>What</th><th>Where</th><th>Old</th><th>New</th></tr></thead><tbody>${differences.map(row).join('')}</tbody></table></div></details>`
}

const style = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}body{max-width:70rem;margin:0 auto;padding:1.5rem}
h1{font-size:1.5rem}details{border:1px solid color-mix(in srgb,currentColor 20%,transparent);border-radius:.5rem;margin:1rem 0;padding:.75rem 1rem}
summary{cursor:pointer;overflow-wrap:anywhere}summary span{opacity:.75;margin-left:.5rem}code,pre{font:.875rem/1.4 ui-monospace,monospace;overflow-wrap:anywhere;white-space:pre-wrap}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;margin-top:.5rem}th,td{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-top:1px solid color-mix(in srgb,currentColor 15%,transparent)}
.good{color:light-dark(#176b2c,#7ddf95)}.bad{color:light-dark(#a3261c,#ff9d94)}`

/** One page that needs nothing else: what was compared, and every request whose answers differ. */
export function htmlReport({ old, new: now, outcomes }: ReportFacts): string {
  const differing = outcomes.filter(({ differences }) => differences.length > 0)
  const verdict =
    differing.length === 0
      ? `<p class="good">All ${outcomes.length} requests were answered alike.</p>`
      : `<p class="bad">${differing.length} of ${outcomes.length} requests were answered differently.</p>`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>modelwire diff</title><style>${style}</style></head>
<body><h1>Answers compared</h1><p>Old: <code>${escape(old)}</code><br>New: <code>${escape(now)}</code></p>${verdict}
${differing.map(section).join('\n')}</body></html>
`
}
