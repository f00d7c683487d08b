import type { OperationContext } from '@modelwire/core'
import { checkNamedRecord, Client, type Guard, namedRecordOf, type Operation } from '@modelwire/core/plugin'
import { dependsOnRecord, type Controlling, type AccessParts } from '../rights/verdicts.ts'
import { sharesScope } from '../identity/same-id.ts'
import type { Verdict } from '../rules/decide.ts'
import { callOf, type Decision } from '../rules/decision.ts'
import { deniesAll } from '../report/report.ts'
import { makeStanding } from '../rules/standings.ts'
import { makeAuthorizedRoles } from './authorized-roles.ts'

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
  return Object.assign(guard, { ignoresInstance: true, ignoresArguments: () => true, onlyForCallers: isOpen })
}

/** False for a function without a record argument: it may read any records. */
export function keepsToRecords({ effect: { verb, subject, idIn } }: Operation): boolean {
  return verb !== 'call' || subject === 'record' || idIn !== undefined
}

/** A client without a token. */
const anonymous = (): Client => new Client(undefined, undefined)

/**
 * Makes the guard of an operation, from the rules of its own model. It stores in the context what the deciding rule allows
 * the client to see and change. An operation that is open to all has no guard for calls without a token.
 * @see LoopBack 3: loopback, common/models/acl.js, checkAccessForContext
 */
export function compileGuard(operation: Operation, controlling: Controlling): Guard {
  const { parts, ask, restrictionOf } = controlling
  const { stored } = parts
  const { model, accessScopes } = operation
  const { call, decision, isOpen, now } = makeStanding(model, callOf(operation), { stored, isOfRecord: false })
  const roles = makeAuthorizedRoles(operation, controlling)
  if (roles === undefined && isOpen && !stored.canHold()) return guardScopes(operation, parts)
  const obey = async (context: OperationContext, client: Client, { allowed, rule }: Verdict): Promise<void> => {
    if (!allowed) throw denial(parts, context)
    const granting = { rule, model, client, method: call.method, purpose: 'operation' } as const
    const restriction = await restrictionOf(granting)
    if (restriction?.condition !== undefined && !keepsToRecords(operation)) throw denial(parts, context)
    context.grant = { model, restriction }
    // The rule is about the caller because there is such a record, which may be one that the caller may not see.
    if (restriction?.condition !== undefined && rule !== undefined && dependsOnRecord(rule, parts.roles))
      await checkNamedRecord(operation, context, restriction)
  }
  const guard = async (context: OperationContext): Promise<void> => {
    if (!sharesScope(accessScopes, context.principal)) throw denial(parts, context)
    if (roles === undefined && isOpen && stored.isEmpty()) return
    const client = context.client ?? anonymous()
    const question = { client, model, call, target: namedRecordOf(operation, context), context }
    const verdict = await ask(await now(), question)
    await roles?.set(question, verdict)
    await obey(context, client, verdict)
  }
  // Without a token the scope of tokens is the default.
  const isOpenToAll = isOpen && sharesScope(accessScopes, undefined)
  return Object.assign(guard, {
    // LB3: hooks and observers read the roles of callers without a token, too; pinned by access/authorized-roles.test.ts
    isOpen: () => isOpenToAll && roles === undefined && stored.isEmpty(),
    ignoresArguments: () => !parts.roles.hasScripted,
    ignoresInstance: !looksAtRecord(decision) && roles?.looksAtRecord !== true,
    answerToAll: deniesAll(operation, decision) ? false : isOpenToAll || undefined
  })
}
