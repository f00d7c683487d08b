import {
  type DifferenceGroup,
  groupOutcomes,
  type ModelGroup,
  type ModelPlace,
  type Occurrence
} from './group-outcomes.ts'
import type { Outcome } from './run-diff.ts'

/** The facts shown in a report. */
export interface ReportFacts {
  readonly old: string
  readonly new: string
  readonly outcomes: readonly Outcome[]
  /** Where models are served, as far as known. */
  readonly places?: readonly ModelPlace[]
}

/** Examples of one difference in the page; the JSON has all of them. */
const mostExamples = 25

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const show = (value: unknown): string =>
  value === undefined ? '<i>absent</i>' : `<code>${escape(JSON.stringify(value).slice(0, 500))}</code>`

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`

function exampleRow({ outcome: { request, old, new: now }, difference, times }: Occurrence): string {
  const body = request.body === undefined ? '' : `<pre>${escape(request.body.slice(0, 2000))}</pre>`
  const others = times === 1 ? '' : ` <small>and ${times - 1} more</small>`
  const status = old.status === now.status ? old.status : `${old.status} → ${now.status}`
  return `<tr><td data-label="Request"><b>${escape(request.method)}</b> <code>${escape(readable(request.path))}</code> <small>${status}</small>${body}</td>
<td data-label="Where"><code>${escape(difference.where)}</code>${others}</td><td data-label="Old">${show(difference.old)}</td><td data-label="New">${show(difference.new)}</td></tr>`
}

/** A path as people write it, where it can be read back. */
function readable(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

function differenceSection({ kind, where, occurrences }: DifferenceGroup): string {
  const left = occurrences.length - mostExamples
  const more = left > 0 ? `<p>… and ${count(left, 'request')} more: <code>--json</code> has all of them.</p>` : ''
  return `<details><summary><b>${escape(kind)}</b> <code>${escape(where)}</code> <span>in ${count(occurrences.length, 'request')}</span></summary>
<table><thead><tr><th scope="col">Request</th><th scope="col">Where</th><th scope="col">Old</th><th scope="col">New</th></tr></thead><tbody>${occurrences.slice(0, mostExamples).map(exampleRow).join('')}</tbody></table>${more}</details>`
}

function modelSection({ name, sent, differing, groups }: ModelGroup): string {
  return `<details class="model"><summary><h2>${escape(name)}</h2> <span>${differing} of ${count(sent, 'request')} differ, in ${count(groups.length, 'way')}</span></summary>
${groups.map(differenceSection).join('\n')}</details>`
}

const style = `:root{color-scheme:light dark;background:light-dark(#fff,#16181c);color:light-dark(#1a1c20,#e8eaed);font:16px/1.5 system-ui,sans-serif}body{max-width:75rem;margin:0 auto;padding:1.5rem}
h1{font-size:1.5rem}h2{display:inline;font-size:1.125rem}details{border:1px solid color-mix(in srgb,currentColor 25%,transparent);border-radius:.5rem;margin:.75rem 0;padding:.5rem 1rem}
.model>summary{padding:.25rem 0}summary{cursor:pointer;overflow-wrap:anywhere}summary:focus-visible{outline:3px solid light-dark(#1d5fbf,#8ab8ff);outline-offset:2px}
code,pre{font:.875rem/1.4 ui-monospace,monospace;overflow-wrap:anywhere;white-space:pre-wrap}pre{margin:.25rem 0}
table{border-collapse:collapse;width:100%;table-layout:fixed;margin-top:.5rem}th,td{text-align:left;vertical-align:top;overflow-wrap:anywhere;padding:.35rem .75rem .35rem 0;border-top:1px solid color-mix(in srgb,currentColor 20%,transparent)}
th:first-child{width:36%}.good{color:light-dark(#176b2c,#7ddf95)}.bad{color:light-dark(#a3261c,#ff9d94)}
@media(max-width:44rem){body{padding:.75rem}details{padding:.5rem}thead{display:none}tr{display:block;padding:.5rem 0;border-top:1px solid color-mix(in srgb,currentColor 35%,transparent)}
td{display:block;border:0;padding:.15rem 0}td::before{content:attr(data-label) ": ";font-weight:600}}
@media print{details::details-content{content-visibility:visible;height:auto}}`

/** A self-contained page: what was compared, and what differs, by model and then by kind and place, all of it collapsed. */
export function htmlReport({ old, new: now, outcomes, places = [] }: ReportFacts): string {
  const groups = groupOutcomes(outcomes, places)
  const differing = groups.filter((group) => group.differing > 0)
  const same = groups.filter((group) => group.differing === 0).map(({ name }) => `<code>${escape(name)}</code>`)
  const sum = differing.reduce((total, group) => total + group.differing, 0)
  const verdict =
    sum === 0
      ? `<p class="good">All ${outcomes.length} responses were equal.</p>`
      : `<p class="bad">${sum} of ${outcomes.length} requests were answered differently.</p>`
  const alike = sum === 0 || same.length === 0 ? '' : `<p>Without differences: ${same.join(', ')}</p>`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>modelwire diff</title><style>${style}</style></head>
<body><main><h1>Answers compared</h1><p>Old: <code>${escape(old)}</code><br>New: <code>${escape(now)}</code></p>${verdict}
${differing.map(modelSection).join('\n')}
${alike}</main></body></html>
`
}
