import { decoded } from './allowed-difference.ts'
import type { Answer } from './framework.ts'
import type { Finding } from './run-conversation.ts'
import type { Case } from './shrink.ts'

/** Findings of the same kind, and the seeds that show them. */
export interface Group {
  readonly signature: string
  readonly seeds: string[]
  /** Of the same places: what led to the finding. */
  readonly cases: Case[]
}

const write = (line: string): void => console.log(line)

const shorten = ({ status, body }: Answer): string => `${status} ${body.slice(0, 1200)}`

function printFiles({ files }: Case): void {
  const shown = Object.entries(files).filter(([path]) => /models\/|boot\/nest/.test(path))
  for (const [path, text] of shown)
    write(`  ${path.replace(/.*\//, '')}: ${text.replaceAll(/\s+/g, ' ').slice(0, 1500)}`)
}

/** Prints a case that was made small, so that it can be followed by hand. */
export function printCase(shown: {
  readonly seed: string
  readonly signature: string
  readonly smallest: Case
  readonly finding: Finding | undefined
}): void {
  const { seed, signature, smallest, finding } = shown
  write(`\n=== ${signature} (${seed})`)
  printFiles(smallest)
  for (const { method, path, body = '' } of smallest.requests) write(`  ${method} ${decoded(path)} ${body}`)
  if (finding === undefined) return
  write(`  at ${finding.request.method} ${decoded(finding.request.path)}`)
  write(`  LoopBack:  ${shorten(finding.loopback)}`)
  write(`  Modelwire: ${shorten(finding.modelwire)}`)
  for (const one of finding.differences.slice(0, 3))
    write(`  ${one.at}: ${JSON.stringify(one.loopback)} → ${JSON.stringify(one.modelwire)}`)
}

/** Prints how many conversations were held and what they showed. */
export function printFindings(summary: {
  readonly groups: readonly Group[]
  readonly rules: ReadonlyMap<string, number>
  readonly requests: number
  readonly refused: number
  readonly conversations: number
}): void {
  const { groups, rules, requests, refused, conversations } = summary
  write('')
  for (const [rule, times] of rules) write(`allowed in ${times} conversations: ${rule}`)
  for (const { signature, seeds } of groups)
    write(`${seeds.length} × ${signature} (seeds ${[...new Set(seeds)].slice(0, 5).join(', ')})`)
  const found = groups.reduce((sum, { seeds }) => sum + seeds.length, 0)
  write(
    `${conversations} conversations, ${requests} requests, ${refused} started nowhere; ${found} differ, in ${groups.length} ways`
  )
}
