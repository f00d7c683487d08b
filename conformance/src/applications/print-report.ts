import type { FailedStart } from './server-process.ts'
import type { Outcome } from './run-application.ts'
import type { Exchange } from './exchange.ts'
import { kindOfOperation, nameOf } from './operation-name.ts'
import { differs, groupCauses, summarise, type Summary } from './summarise.ts'

const write = (line: string): void => console.log(line)

const percent = (part: number, whole: number): string => (whole === 0 ? '' : `${((part / whole) * 100).toFixed(1)} %`)

const columns = ['application', 'LoopBack', 'Modelwire', 'answers', '2xx', 'equal', 'order', 'wording', 'allowed', 'status', 'header', 'body', 'follow'] // prettier-ignore

const short = (text: string): string => (text === 'starts' ? text : 'NO')

function rowOf({ name, loopback, modelwire, answers, successes, likenesses, follows }: Summary): readonly string[] {
  const { equal, order, wording, allowed, status, header, body } = likenesses
  const counts = [equal, order, wording, allowed, status, header, body, follows].map(String)
  return [name, short(loopback), short(modelwire), String(answers), percent(successes, answers), ...counts]
}

function printTable(rows: readonly (readonly string[])[]): void {
  const widths = columns.map((column, at) => Math.max(column.length, ...rows.map((row) => row[at]?.length ?? 0)))
  for (const row of [columns, ...rows])
    write(row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '))
}

/** The last lines, from the first of them that names an error. */
function lastLines({ log }: FailedStart): string {
  const lines = log.trimEnd().split('\n').slice(-40)
  const from = lines.findIndex((line) => /error|cannot|modelwire:/i.test(line))
  return lines.slice(from === -1 ? -12 : from, from === -1 ? undefined : from + 12).join('\n    ')
}

function printFailures(outcomes: readonly Outcome[]): void {
  const failures = outcomes.flatMap(({ application: { name }, loopback, modelwire }) => [
    { name, side: 'LoopBack', failed: loopback },
    { name, side: 'Modelwire', failed: modelwire }
  ])
  for (const { name, side, failed } of failures)
    if (failed !== undefined)
      write(`
${name}: ${side}: ${failed.reason}
    ${lastLines(failed)}`)
}

const shorten = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 200)

/** Prints the table, why applications do not start, and what differs. */
export function printReport(outcomes: readonly Outcome[], shown: number): void {
  const summaries = outcomes.map(summarise)
  printTable(summaries.map(rowOf))
  const sum = (of: (summary: Summary) => number): number => summaries.reduce((total, one) => total + of(one), 0)
  const compared = sum(({ likenesses }) => Object.values(likenesses).reduce((total, one) => total + one, 0))
  const equal = sum(({ likenesses: { equal: alike, order, wording } }) => alike + order + wording)
  const allowed = sum((one) => one.likenesses.allowed)
  write(
    `\n${outcomes.length} applications; ${summaries.filter((one) => one.loopback === 'starts').length} start with LoopBack, ` +
      `${summaries.filter((one) => one.modelwire === 'starts').length} with Modelwire; ` +
      `${sum(({ answers }) => answers)} answers, ${percent(
        sum(({ successes }) => successes),
        sum(({ answers }) => answers)
      )} of them 2xx; ` +
      `${percent(equal, compared)} of ${compared} compared are alike but for order of names and wording of errors, ` +
      `${percent(equal + allowed, compared)} with what documented rules allow`
  )
  printFailures(outcomes)
  for (const { signature, times, applications, example } of groupCauses(outcomes).slice(0, shown)) {
    write(`\n${times} × ${signature} (${applications.slice(0, 6).join(', ')})`)
    write(`    ${example.persona}: ${example.line}`)
    write(`    at ${example.at}: ${shorten(example.loopback)} → ${shorten(example.modelwire)}`)
  }
}

const inFull = ({ line, request, differences, loopback, modelwire, follows }: Exchange): unknown => ({
  line,
  method: request.operation.method,
  persona: request.persona,
  follows,
  differences: differences.slice(0, 5),
  loopback: { status: loopback.status, body: loopback.body.slice(0, 4000) },
  modelwire: { status: modelwire.status, body: modelwire.body.slice(0, 4000) }
})

const isRefusal = ({ loopback: { status } }: Exchange): boolean => status >= 400

/** Exchanges by what `kindsOf` says of them, the most common first, with how often and one of each. */
function groupBy(
  exchanges: readonly Exchange[],
  kindsOf: (exchange: Exchange) => readonly string[],
  exampleOf: (exchange: Exchange) => string
): unknown {
  const groups = new Map<string, { times: number; readonly example: string }>()
  for (const exchange of exchanges)
    for (const kind of kindsOf(exchange)) {
      const group = groups.get(kind) ?? { times: 0, example: exampleOf(exchange) }
      groups.set(kind, { ...group, times: group.times + 1 })
    }
  return Object.fromEntries([...groups].toSorted(([, one], [, other]) => other.times - one.times))
}

const operationKind = ({ request }: Exchange): string => kindOfOperation(nameOf(request.operation))

const begin = ({ status, body }: Exchange['loopback']): string => `${status} ${body.slice(0, 300)}`

/** What LoopBack refused, with a request of each kind: what the requests of this tool lack. */
const refusalsOf = (exchanges: readonly Exchange[]): unknown =>
  groupBy(
    exchanges.filter(isRefusal),
    (one) => [`${one.request.persona}: ${operationKind(one)}: ${one.loopback.status}`],
    ({ line, loopback }) => `${line.slice(0, 300)} → ${loopback.body.slice(0, 300)}`
  )

/** What rules allow, with a request of each kind: to see that they mean it. */
const allowancesOf = (exchanges: readonly Exchange[]): unknown =>
  groupBy(
    exchanges,
    (one) => (one.allowed ?? []).map((rule) => `${rule}: ${operationKind(one)}`),
    ({ line, loopback, modelwire }) => `${line.slice(0, 300)} → ${begin(loopback)} → ${begin(modelwire)}`
  )

/** The same as data, with every answer that differs. */
export function reportOf(outcomes: readonly Outcome[]): unknown {
  return {
    applications: outcomes.map((outcome) => ({
      ...summarise(outcome),
      differences: outcome.isCompared ? outcome.exchanges.filter(differs).map(inFull) : [],
      refusals: refusalsOf(outcome.exchanges),
      allowances: allowancesOf(outcome.exchanges),
      failures: { loopback: outcome.loopback?.log.slice(-4000), modelwire: outcome.modelwire?.log.slice(-4000) }
    })),
    causes: groupCauses(outcomes)
  }
}
