import type { Condition } from '@modelwire/core/connector'
import { negate } from './negate.ts'
import { everything, nothing, type Pushed, type PushTest, unsaid } from './pushed.ts'

/** The part of a condition that is sent to a connector: the tests that its family understands. */
export function pushCondition(condition: Condition | undefined, test: PushTest): Pushed {
  if (condition === undefined) return everything
  if (condition.kind === 'test') return test(condition)
  if (condition.kind === 'never') return nothing
  // Only connectors that relate models get it, and this one does not.
  if (condition.kind === 'related') return unsaid
  if (condition.kind === 'nor') {
    const negated = condition.conditions.map(negate)
    return negated.includes(undefined) ? unsaid : pushAll(negated.filter(isCondition), test)
  }
  return condition.kind === 'and' ? pushAll(condition.conditions, test) : pushAny(condition.conditions, test)
}

const isCondition = (condition: Condition | undefined): condition is Condition => condition !== undefined

function pushAll(conditions: readonly Condition[], test: PushTest): Pushed {
  const parts = conditions.map((condition) => pushCondition(condition, test))
  if (parts.some(({ kind }) => kind === 'nothing')) return nothing
  const isExact = parts.every((part) => part.kind !== 'nothing' && part.isExact)
  const wheres = parts.flatMap((part) => (part.kind === 'some' ? [part.where] : []))
  const [first, ...rest] = wheres
  if (first === undefined) return { kind: 'all', isExact }
  return { kind: 'some', where: rest.length === 0 ? first : { and: wheres }, isExact }
}

function pushAny(conditions: readonly Condition[], test: PushTest): Pushed {
  const parts = conditions.map((condition) => pushCondition(condition, test)).filter((part) => part.kind !== 'nothing')
  if (parts.length === 0) return nothing
  // A part that may match every record makes the others irrelevant.
  const whole = parts.filter(({ kind }) => kind === 'all')
  if (whole.length > 0) return { kind: 'all', isExact: whole.some(({ isExact }) => isExact) }
  const wheres = parts.flatMap((part) => (part.kind === 'some' ? [part.where] : []))
  const isExact = parts.every((part) => part.isExact)
  const [first, ...rest] = wheres
  if (first === undefined) return nothing
  return { kind: 'some', where: rest.length === 0 ? first : { or: wheres }, isExact }
}
