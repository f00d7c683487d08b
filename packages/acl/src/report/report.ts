import type { Operation, FieldNames } from '@modelwire/core/plugin'
import { allows, answerToAll, callOf, compileDecision, type Decision } from '../rules/decision.ts'
import type { Rule, FieldsOf, RowsOf } from '../rules/rule.ts'
import type { RowsFunction } from '@modelwire/core'
import { callerKinds, decidingRule, principalText } from '../rules/caller-kinds.ts'

/** The records that a rule lets its callers see and change. */
export interface RowsLine {
  readonly by: 'owner' | 'path' | 'function'
  /** `$owner`, the relations that lead to the caller, or the function: its name, or its source if it has none. */
  readonly text: string
}

/** The properties that a rule lets its callers read and set, as written in the rule; absent: all. */
export interface FieldsLine {
  readonly read?: FieldNames
  readonly write?: FieldNames
}

/** A rule as shown in reports. */
export interface RuleLine {
  /** `ALLOW $authenticated`; if no rule matches the caller, the default: `DENY all others`. */
  readonly rule: string
  /** Absent: all records. */
  readonly rows?: RowsLine
  /** Absent: all properties. */
  readonly fields?: FieldsLine
}

const longestText = 80

const fieldsLine = ({ read, write }: FieldsOf): FieldsLine => ({
  ...(read !== undefined && { read }),
  ...(write !== undefined && { write })
})

/** What holds where no rule is about the caller. */
const otherwiseLine = (isAllowed: boolean): RuleLine => ({ rule: `${isAllowed ? 'ALLOW' : 'DENY'} all others` })

/** Who may make calls of one operation, by the rules of files and scripts. Stored rules may add to them. */
export interface ReportLine {
  readonly model: string
  /** `find`, or `prototype.patchAttributes`. */
  readonly operation: string
  /** `GET /products`. */
  readonly endpoints: readonly string[]
  readonly accessType: string
  /** `rules`: depends on the caller. */
  readonly open: 'everybody' | 'nobody' | 'rules'
  /** The rules in the order of evaluation, and the default where none matches the caller. */
  readonly rules: readonly RuleLine[]
  /** The result of the rules for each kind of caller. */
  readonly callers: readonly CallerLine[]
}

/** Whether one kind of caller may make a call, and the rule that decides. */
export interface CallerLine extends RuleLine {
  /** `$unauthenticated`, `$authenticated`, `$owner`, a role, or `USER 7`. */
  readonly caller: string
  /** `some records` if `rows` limits them; some of their properties may be withheld as well. */
  readonly answer: 'allowed' | 'denied' | 'some records' | 'some properties'
}

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
  const rule = decidingRule(caller, rules)
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
  return callerKinds(rules).map((caller) => callerLine(caller, rules, otherwise))
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

/** A function in an object literal is named after its key. */
function functionText(rows: RowsFunction): string {
  if (rows.name !== '' && rows.name !== 'rows') return rows.name
  const text = String(rows).replaceAll(/\s+/g, ' ')
  return text.length > longestText ? `${text.slice(0, longestText - 1)}…` : text
}

function rowsLine(rows: RowsOf): RowsLine {
  if (rows === '$owner') return { by: 'owner', text: rows }
  if (typeof rows === 'function') return { by: 'function', text: functionText(rows) }
  return { by: 'path', text: rows.path.join('.') }
}

/** A rule as shown in reports. */
function ruleLine(rule: Rule): RuleLine {
  const { permission = 'ALLOW', rows, fields } = rule
  return {
    rule: `${permission} ${principalText(rule)}`,
    ...(rows !== undefined && { rows: rowsLine(rows) }),
    ...(fields !== undefined && { fields: fieldsLine(fields) })
  }
}
