import type { Operation } from '@modelwire/core'
import { allows, answerToAll, callOf, compileDecision, type Decision } from '../access/decision.ts'
import type { RowsOf, Rule } from '../rules/rule.ts'

/** Who may make calls of one operation, as files and scripts say. Stored rules may say more. */
export interface ReportLine {
  readonly model: string
  /** `find`, or `prototype.patchAttributes`. */
  readonly operation: string
  /** `GET /products`. */
  readonly endpoints: readonly string[]
  readonly accessType: string
  /** `rules`: it depends on the caller. */
  readonly open: 'everybody' | 'nobody' | 'rules'
  /** The rules that are asked, the one that is asked first first. */
  readonly rules: readonly string[]
  /** What the rules come to for each kind of caller. */
  readonly callers: readonly CallerLine[]
}

/** Whether one kind of caller may make a call. */
export interface CallerLine {
  /** `$unauthenticated`, `$authenticated`, `$owner`, a role, or `USER 7`. */
  readonly caller: string
  readonly answer: 'allowed' | 'denied' | 'some records'
  /** The rule that decides. */
  readonly rule: string
}

const principalText = ({ principalType, principalId }: Rule): string =>
  principalType === 'ROLE' ? String(principalId) : `${principalType} ${principalId}`

const rowsText = (rows: RowsOf): string => (rows === '$owner' ? ' (own records)' : ' (records by a function)')

const ruleText = (rule: Rule): string =>
  `${rule.permission ?? 'ALLOW'} ${principalText(rule)}${rule.rows === undefined ? '' : rowsText(rule.rows)}`

/** Roles that a caller of a kind is in besides the one that names the kind. */
const roleKinds: Readonly<Record<string, readonly string[]>> = {
  $unauthenticated: ['$everyone'],
  $authenticated: ['$everyone'],
  $owner: ['$authenticated', '$everyone']
}
const everybody = ['$unauthenticated', '$authenticated', '$owner']
const known = ['$authenticated', '$everyone']

function answerOf(rule: Rule | undefined, otherwise: boolean): CallerLine['answer'] {
  if (rule?.rows !== undefined && allows(rule)) return 'some records'
  return (rule === undefined ? otherwise : allows(rule)) ? 'allowed' : 'denied'
}

/** The kinds of callers that the rules of an operation tell apart, and what they come to for each. */
function callersOf({ rules, otherwise }: Decision): CallerLine[] {
  const named = rules.map(({ rule }) => principalText(rule)).filter((name) => name !== '$everyone')
  return [...new Set([...everybody, ...named])].map((caller) => {
    const names = [caller, ...(roleKinds[caller] ?? known)]
    const rule = rules.find((each) => names.includes(principalText(each.rule)))?.rule
    const text = rule === undefined ? `${otherwise ? 'ALLOW' : 'DENY'} all others` : ruleText(rule)
    return { caller, answer: answerOf(rule, otherwise), rule: text }
  })
}

function opennessOf(answer: boolean | undefined): ReportLine['open'] {
  if (answer === undefined) return 'rules'
  return answer ? 'everybody' : 'nobody'
}

/** Says who may call an operation. */
export function reportOn(operation: Operation): ReportLine {
  const { model, name, endpoints, accessType } = operation
  const decision = compileDecision(operation.model, callOf(operation))
  const rules = decision.rules.map(({ rule }) => ruleText(rule))
  return {
    model: model.name,
    operation: name,
    endpoints: endpoints.map(({ verb, path }) => `${verb} /${model.httpPath}${path === '/' ? '' : path}`),
    accessType,
    open: opennessOf(answerToAll(decision)),
    rules: [...rules, `${decision.otherwise ? 'ALLOW' : 'DENY'} all others`],
    callers: callersOf(decision)
  }
}
