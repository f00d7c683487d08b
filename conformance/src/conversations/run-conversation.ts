import { findRule, type AllowedDifference } from './allowed-difference.ts'
import { compareAnswers, type Difference } from './compare-answers.ts'
import type { Answer, Framework } from './framework.ts'
import type { ConversationRequest } from './plan.ts'

/** Both frameworks, and what they may differ in. */
export interface Comparison {
  readonly loopback: Framework
  readonly modelwire: Framework
  readonly rules: readonly AllowedDifference[]
}

/** A request that was answered differently, with the differences that no rule allows. */
export interface Finding {
  readonly request: ConversationRequest
  readonly loopback: Answer
  readonly modelwire: Answer
  readonly differences: readonly Difference[]
  /** By this findings are grouped. */
  readonly signature: string
}

/** What a conversation showed. */
export interface Outcome {
  readonly requests: number
  readonly findings: readonly Finding[]
  /** Names of the rules that applied. */
  readonly allowed: readonly string[]
  /** Why it could not take place: neither framework started. */
  readonly refused?: string
}

const shape = (value: unknown): string => {
  if (Array.isArray(value)) return 'list'
  return value === null ? 'null' : typeof value
}

function describe({ at, loopback, modelwire }: Difference): string {
  if (at === 'status') return `${String(loopback)} → ${String(modelwire)}`
  if (at.startsWith('order')) return `order`
  return `${at.replaceAll(/\/\d+/g, '/n')}: ${shape(loopback)} → ${shape(modelwire)}`
}

const isRead = ({ method }: ConversationRequest): boolean => method === 'GET' || method === 'HEAD'

async function compareRequest(
  request: ConversationRequest,
  files: Readonly<Record<string, string>>,
  { loopback: one, modelwire: other, rules }: Comparison
): Promise<{ finding?: Finding; allowed: readonly string[]; differs: boolean; lost: boolean }> {
  const [loopback, modelwire] = await Promise.all([one.send(request), other.send(request)])
  const all = compareAnswers(loopback, modelwire)
  const judged = all.map((difference) => ({
    difference,
    rule: findRule({ request, loopback, modelwire, difference, files }, rules)
  }))
  const allowed = judged.flatMap(({ rule }) => (rule === undefined ? [] : [rule.rule]))
  const differences = judged.filter(({ rule }) => rule === undefined).map(({ difference }) => difference)
  const lost = loopback.status === 0 || modelwire.status === 0
  const differs = all.some(({ at }) => !at.startsWith('order'))
  if (differences.length === 0) return { allowed, differs, lost }
  const worst = differences.find(({ at }) => !at.startsWith('order')) ?? differences[0]
  const signature = `${request.kind}: ${worst === undefined ? '' : describe(worst)}`
  return { finding: { request, loopback, modelwire, differences, signature }, allowed, differs, lost }
}

/** Of an application that one of them alone starts. */
function judgeStart(
  finding: Finding,
  files: Readonly<Record<string, string>>,
  rules: readonly AllowedDifference[]
): Outcome {
  const allowed = finding.differences.flatMap((difference) => {
    const rule = findRule({ ...finding, difference, files }, rules)
    return rule === undefined ? [] : [rule.rule]
  })
  return { requests: 0, findings: allowed.length > 0 ? [] : [finding], allowed }
}

/** Starts both on the same files and sends the requests until a write is answered differently. */
export async function runConversation(
  files: Readonly<Record<string, string>>,
  requests: readonly ConversationRequest[],
  comparison: Comparison
): Promise<Outcome> {
  const [one, other] = await Promise.all([comparison.loopback.start(files), comparison.modelwire.start(files)])
  if (one !== undefined && other !== undefined) return { requests: 0, findings: [], allowed: [], refused: one }
  if (one !== undefined || other !== undefined) return judgeStart(startFinding(one, other), files, comparison.rules)
  const findings: Finding[] = []
  const allowed: string[] = []
  for (const [at, request] of requests.entries()) {
    const result = await compareRequest(request, files, comparison)
    if (result.finding !== undefined) findings.push(result.finding)
    allowed.push(...result.allowed)
    if (result.lost || (result.differs && !isRead(request))) return { requests: at + 1, findings, allowed }
  }
  return { requests: requests.length, findings, allowed }
}

const said = (text = 'starts'): Answer => ({ status: 0, headers: {}, body: text })

function startFinding(loopback: string | undefined, modelwire: string | undefined): Finding {
  const why = (modelwire ?? loopback ?? '').split('\n')[0] ?? ''
  return {
    request: { kind: 'start', method: '', path: '' },
    loopback: said(loopback),
    modelwire: said(modelwire),
    differences: [{ at: 'start', loopback, modelwire }],
    signature: `start: ${loopback === undefined ? 'modelwire' : 'loopback'} refuses: ${why.slice(0, 80)}`
  }
}
