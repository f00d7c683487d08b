import { andThen, type Awaitable, type Guard, type Operation, type OperationContext } from '@modelwire/core'
import { sharesScope } from '../identity/shares-scope.ts'
import type { RowsQuestion } from '../rows/row-set.ts'
import type { Rule } from '../rules/rule.ts'
import type { AccessParts } from './access-parts.ts'
import { compileAsk } from './ask.ts'
import type { Verdict } from './decide.ts'
import { answerToAll, callOf, compileDecision, type Decision } from './decision.ts'
import { keepsRows } from './keeps-rows.ts'
import { compileNarrowing } from './narrow-rows.ts'
import { compileNestedTarget } from './nested-target.ts'
import { denialOf } from './refuse.ts'
import { rowsQuestionOf } from './rows-question-of.ts'

/** A rule looks at the record that the call loads anyway. What others need they load themselves. */
function looksAtRecord({ rules }: Decision): boolean {
  return rules.some(({ rule }) => rule.principalId === '$owner' || rule.rows !== undefined)
}

/** A method open to all: only tokens that are meant for something else are turned away. */
function guardScopes({ accessScopes }: Operation, { errorStatus }: AccessParts): Guard {
  const guard = (context: OperationContext): void => {
    if (!sharesScope(accessScopes, context.principal)) throw denialOf(context, errorStatus)
  }
  const isOpen = sharesScope(accessScopes, undefined)
  return Object.assign(guard, { ignoresInstance: true, onlyForCallers: isOpen })
}

type Obey = (context: OperationContext, rule: Rule, question: RowsQuestion) => Awaitable<boolean>

/** Makes the function that sees to what a rule asks of the calls that it allows. */
function compileObedience(
  operation: Operation,
  parts: AccessParts
): (context: OperationContext, rule: Rule | undefined) => Awaitable<boolean> {
  const { model } = operation
  const { method } = callOf(operation)
  const keeps = keepsRows(operation)
  const narrow = compileNarrowing(operation)
  const keepsOwner: Obey = (context, { principalId }, question) =>
    principalId !== '$owner' ||
    !parts.recheckOwner ||
    keeps === undefined ||
    keeps(context, parts.rowsOf('$owner'), question)
  const obeyRows: Obey = (context, { rows }, question) => {
    if (rows === undefined) return true
    const set = parts.rowsOf(rows)
    const mayGiveAway = rows === '$owner' && !parts.recheckOwner
    const keeping = mayGiveAway || keeps === undefined || keeps(context, set, question)
    return andThen(keeping, (isKept): Awaitable<boolean> => isKept && narrow(context, set, question))
  }
  return (context, rule) => {
    if (rule === undefined || (rule.rows === undefined && rule.principalId !== '$owner')) return true
    const question = rowsQuestionOf(context, model, method)
    return andThen(
      keepsOwner(context, rule, question),
      (isKept): Awaitable<boolean> => isKept && obeyRows(context, rule, question)
    )
  }
}

/**
 * Makes the guard of an operation, which also obeys the rules of the related model on nested routes where that is asked for.
 */
export function compileGuard(operation: Operation, parts: AccessParts): Guard {
  const own = compileOwnGuard(operation, parts)
  const asksTarget = parts.nested === 'target' ? compileNestedTarget(operation, parts) : undefined
  if (asksTarget === undefined) return own
  const checkTarget = async (context: OperationContext): Promise<void> => {
    if (!(await asksTarget(context))) throw denialOf(context, parts.errorStatus)
  }
  return (context) => andThen(own(context), () => checkTarget(context))
}

/**
 * Makes the guard of an operation by the rules of its own model. One that everybody may call has none for calls without a
 * token.
 * @see LoopBack 3: loopback, common/models/acl.js, checkAccessForContext
 */
function compileOwnGuard(operation: Operation, parts: AccessParts): Guard {
  const decision = compileDecision(operation.model, callOf(operation))
  const { errorStatus, stored } = parts
  const isOpen = answerToAll(decision) === true
  if (isOpen && !stored.canHold()) return guardScopes(operation, parts)
  const ask = compileAsk(operation, decision, parts)
  const obey = compileObedience(operation, parts)
  const check = (context: OperationContext, { allowed, rule }: Verdict): Awaitable<void> => {
    if (!allowed) throw denialOf(context, errorStatus)
    return andThen(obey(context, rule), (isObeyed) => {
      if (!isObeyed) throw denialOf(context, errorStatus)
    })
  }
  const guard = (context: OperationContext): Awaitable<void> => {
    if (!sharesScope(operation.accessScopes, context.principal)) throw denialOf(context, errorStatus)
    if (isOpen && stored.isEmpty()) return undefined
    return andThen(ask(context), (verdict) => check(context, verdict))
  }
  // Without a token the scope of tokens is the usual one.
  const opens = isOpen && sharesScope(operation.accessScopes, undefined) ? { isOpen: stored.isEmpty } : {}
  return Object.assign(guard, { ignoresInstance: !looksAtRecord(decision), ...opens })
}
