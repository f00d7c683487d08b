import type { Operation } from '@modelwire/core/plugin'
import { allows, answerToAll, callOf, compileDecision, type Decision } from '../rules/decision.ts'
import type { Rule } from '../rules/rule.ts'
import { otherwiseLine, principalText, ruleLine, type RuleLine } from './rule-line.ts'

/** Who may make calls of one operation, by the rules of files and scripts. Stored rules may add to them. */
export interface ReportLine {
  readonly model: string
  /** `find`, or `prototype.patchAttributes`. */
  readonly operation: string
  /** `GET /products`. */
  readonly endpoints: readonly string[]
  readonly accessType: string
  /** `rules`: it depends on the caller. */
  readonly open: 'everybody' | 'nobody' | 'rules'
  /** The rules in the order of evaluation, and the default where none matches the caller. */
  readonly rules: readonly RuleLine[]
  /** What the rules come to for each kind of caller. */
  readonly callers: readonly CallerLine[]
}

/** Whether one kind of caller may make a call, and the rule that decides. */
export interface CallerLine extends RuleLine {
  /** `$unauthenticated`, `$authenticated`, `$owner`, a role, or `USER 7`. */
  readonly caller: string
  /** `some records` where `rows` names them, of which some properties may be kept back as well. */
  readonly answer: 'allowed' | 'denied' | 'some records' | 'some properties'
}

/** Roles that a caller of a kind is in besides the one that names the kind. */
const roleKinds: Readonly<Record<string, readonly string[]>> = {
  $unauthenticated: ['$everyone'],
  $authenticated: ['$everyone'],
  $owner: ['$authenticated', '$everyone']
}
const everybody = ['$unauthenticated', '$authenticated', '$owner']
const authenticatedRoles = ['$authenticated', '$everyone']

function answerOf(rule: Rule, caller: string): CallerLine['answer'] {
  const { rows, fields } = rule
  if (!allows(rule)) return 'denied'
  // Without a user there are no own records, and no relation leads to one.
  if (caller === '$unauthenticated' && rows !== undefined && typeof rows !== 'function') return 'denied'
  if (rows !== undefined) return 'some records'
  return fields === undefined ? 'allowed' : 'some properties'
}

/** What rules come to for a kind of caller. */
function callerLine(caller: string, rules: readonly Rule[], otherwise: boolean): CallerLine {
  const names = [caller, ...(roleKinds[caller] ?? authenticatedRoles)]
  const rule = rules.find((each) => names.includes(principalText(each)))
  if (rule === undefined) return { caller, answer: otherwise ? 'allowed' : 'denied', ...otherwiseLine(otherwise) }
  return { caller, answer: answerOf(rule, caller), ...ruleLine(rule) }
}

/**
 * The kinds of callers that the rules of an operation distinguish, with the answer for each.
 * @param namesRecord calls name a record, which may have an owner
 */
function callersOf({ rules: weighed, otherwise }: Decision, namesRecord: boolean): CallerLine[] {
  const all = weighed.map(({ rule }) => rule)
  const rules = namesRecord ? all : all.filter(({ principalId }) => principalId !== '$owner')
  const named = rules.map(principalText).filter((name) => name !== '$everyone')
  return [...new Set([...everybody, ...named])].map((caller) => callerLine(caller, rules, otherwise))
}

function opennessOf(answer: boolean | undefined): ReportLine['open'] {
  if (answer === undefined) return 'rules'
  return answer ? 'everybody' : 'nobody'
}

const namesRecord = ({ onInstance, effect }: Operation): boolean => onInstance || effect.idIn !== undefined

/** True where the rules deny an operation to callers of every kind. */
export const deniesAll = (operation: Operation, decision: Decision): boolean =>
  callersOf(decision, namesRecord(operation)).every(({ answer }) => answer === 'denied')

/** A report on who may call an operation. */
export function reportOn(operation: Operation): ReportLine {
  const { model, name, endpoints, accessType } = operation
  const decision = compileDecision(operation.model, callOf(operation))
  return {
    model: model.name,
    operation: name,
    endpoints: endpoints.map(({ verb, path }) => `${verb} /${model.httpPath}${path === '/' ? '' : path}`),
    accessType,
    open: opennessOf(answerToAll(decision)),
    rules: [...decision.rules.map(({ rule }) => ruleLine(rule)), otherwiseLine(decision.otherwise)],
    callers: callersOf(decision, namesRecord(operation))
  }
}
