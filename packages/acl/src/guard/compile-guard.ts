import type { OperationContext } from '@modelwire/core'
import {
  andThen,
  type Awaitable,
  checkNamedRecord,
  Client,
  type Guard,
  namedRecordOf,
  type Operation,
  type Restriction
} from '@modelwire/core/plugin'
import { dependsOnRecord } from '../rights/walk-rules.ts'
import { sharesScope } from '../identity/shares-scope.ts'
import type { AccessParts } from '../rights/access-parts.ts'
import type { Controlling } from '../rights/controlling.ts'
import type { Verdict } from '../rules/decide.ts'
import { callOf, type Decision } from '../rules/decision.ts'
import { deniesAll } from '../report/report.ts'
import { makeStanding } from '../rules/standings.ts'

/** A rule looks at the record that the call loads anyway. What others need they load themselves. */
const looksAtRecord = ({ rules }: Decision): boolean => rules.some(({ rule }) => rule.principalId === '$owner')

const denial = ({ denials }: AccessParts, { operation, principal }: OperationContext): Error =>
  denials.ofRecords(operation.model, principal)

/** A method open to all: only tokens that are meant for something else are turned away. */
function guardScopes({ accessScopes }: Operation, parts: AccessParts): Guard {
  const guard = (context: OperationContext): void => {
    if (!sharesScope(accessScopes, context.principal)) throw denial(parts, context)
  }
  const isOpen = sharesScope(accessScopes, undefined)
  return Object.assign(guard, { ignoresInstance: true, onlyForCallers: isOpen })
}

/** False for a function without a record argument: it may read any records. */
export function keepsToRecords({ effect: { verb, subject, idIn } }: Operation): boolean {
  return verb !== 'call' || subject === 'record' || idIn !== undefined
}

/** A client without a token. */
const anonymous = (): Client => new Client(undefined, undefined)

/**
 * Makes the guard of an operation, by the rules of its own model. It leaves in the context what the rule that lets the
 * client call the operation allows it to see and change. An operation that is open to all has none for calls without a
 * token.
 * @see LoopBack 3: loopback, common/models/acl.js, checkAccessForContext
 */
export function compileGuard(operation: Operation, { parts, ask, restrictionOf }: Controlling): Guard {
  const { stored } = parts
  const { model, accessScopes } = operation
  const { call, decision, isOpen, now } = makeStanding(model, callOf(operation), { stored, isOfRecord: false })
  if (isOpen && !stored.canHold()) return guardScopes(operation, parts)
  const grant = (context: OperationContext, restriction: Restriction | undefined): void => {
    if (restriction?.condition !== undefined && !keepsToRecords(operation)) throw denial(parts, context)
    context.grant = { model, restriction }
  }
  const obey = (context: OperationContext, client: Client, { allowed, rule }: Verdict): Awaitable<void> => {
    if (!allowed) throw denial(parts, context)
    const granting = { rule, model, client, method: call.method, purpose: 'operation' } as const
    return andThen(restrictionOf(granting), (restriction) => {
      grant(context, restriction)
      // The rule is about the caller because there is such a record, which may be one that the caller may not see.
      if (restriction?.condition === undefined || rule === undefined || !dependsOnRecord(rule, parts.roles))
        return undefined
      return checkNamedRecord(operation, context, restriction)
    })
  }
  const guard = (context: OperationContext): Awaitable<void> => {
    if (!sharesScope(accessScopes, context.principal)) throw denial(parts, context)
    if (isOpen && stored.isEmpty()) return undefined
    const client = context.client ?? anonymous()
    const target = namedRecordOf(operation, context)
    return andThen(now(), (ruling) =>
      andThen(ask(ruling, { client, model, call, target, context }), (verdict) => obey(context, client, verdict))
    )
  }
  // Without a token the scope of tokens is the default.
  const opens = isOpen && sharesScope(accessScopes, undefined) ? { isOpen: stored.isEmpty, answerToAll: true } : {}
  return Object.assign(guard, {
    ignoresInstance: !looksAtRecord(decision),
    ...(deniesAll(operation, decision) ? { answerToAll: false } : opens)
  })
}
