import { andThen, type Awaitable, type Operation, type OperationContext } from '@modelwire/core'
import type { RoleContext } from '../roles/role-context.ts'
import type { Rule } from '../rules/rule.ts'
import type { AccessParts } from './access-parts.ts'
import { decide, type Verdict } from './decide.ts'
import { callOf, type Decision, withStored } from './decision.ts'
import { callRecordReader } from './model-id.ts'

/** Answers whether a call may go on. */
export type Ask = (context: OperationContext) => Awaitable<Verdict>

/** Makes the function that tells roles about a call. */
function roleContextReader(operation: Operation): (context: OperationContext) => RoleContext {
  const { model, accessType } = operation
  const { method } = callOf(operation)
  const readRecord = callRecordReader(operation)
  return (call) => {
    const { id: modelId, record } = readRecord(call)
    const { principal, options } = call
    return { principal, model, modelId, record, method, accessType, accessToken: options['accessToken'], call }
  }
}

/** Keeps what stored rules make of a decision for as long as they are the same list. */
function storedDecision(decision: Decision, operation: Operation): (stored: readonly Rule[]) => Decision {
  const call = callOf(operation)
  let known: { readonly stored: readonly Rule[]; readonly decision: Decision } | undefined
  return (stored) => {
    if (stored.length === 0) return decision
    if (known?.stored !== stored) known = { stored, decision: withStored(decision, stored, call) }
    return known.decision
  }
}

/** Makes the function that decides about the calls of an operation. */
export function compileAsk(operation: Operation, decision: Decision, { roles, stored }: AccessParts): Ask {
  const read = roleContextReader(operation)
  if (!stored.canHold()) return (context) => decide(decision, read(context), roles)
  const together = storedDecision(decision, operation)
  return (context) => andThen(stored.read(), (rules) => decide(together(rules), read(context), roles))
}
