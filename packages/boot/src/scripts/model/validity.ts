import type { Model, ValidationError } from '@modelwire/core'
import { andThen, type Awaitable, findProblems, type Problem, typeOf } from '@modelwire/core/plugin'
import { isFunction } from '../../callback-bridge.ts'
import { oldHooks } from './old-hooks.ts'

/** `instance.errors`: messages by property, codes beside them. False when the record is valid. */
export type InstanceErrors = false | (Record<string, string[]> & { readonly codes: Record<string, string[]> })

/**
 * What `instance.isValid(callback)` does: it sets `errors` and returns whether there are none. Where all rules are
 * synchronous it calls back before it returns; with an asynchronous rule it returns undefined and calls back later. A
 * rule that fails counts as a problem of the record.
 * @see LoopBack 3: loopback-datasource-juggler, lib/validations.js, isValid
 */
export function isValid(record: Model, callback: unknown): boolean | undefined {
  const conclude = (problems: readonly Problem[]): boolean => {
    setErrors(record, problems)
    const valid = problems.length === 0
    if (isFunction(callback)) callback.call(record, valid)
    return valid
  }
  const found = findAround(record)
  if (!(found instanceof Promise)) return conclude(found)
  void concludeLater(found, conclude)
  return undefined
}

/** With the hooks of LoopBack 1 around the rules; one that ends the validation leaves the record valid. */
function findAround(record: Model): Awaitable<readonly Problem[]> {
  const find = (): Awaitable<readonly Problem[]> => findProblems(typeOf(record), record, record.isNewRecord(), {})
  if (!oldHooks.has(record, ['validate'])) return find()
  const findAndEnd = (): Awaitable<readonly Problem[]> =>
    andThen(find(), (problems) => andThen(oldHooks.after(record, 'validate'), () => problems))
  return andThen(oldHooks.before(record, 'validate', undefined), (shouldContinue) =>
    shouldContinue ? findAndEnd() : []
  )
}

async function concludeLater(
  found: Promise<readonly Problem[]>,
  conclude: (problems: readonly Problem[]) => unknown
): Promise<void> {
  const [settled] = await Promise.allSettled([found])
  const problems = settled.status === 'fulfilled' ? settled.value : [problemOf(settled.reason)]
  // What the callback throws is the process's affair, as in LoopBack, and no failure of a promise.
  process.nextTick(conclude, problems)
}

function problemOf(reason: unknown): Problem {
  return { property: 'base', code: 'custom', message: reason instanceof Error ? reason.message : String(reason) }
}

/** Sets `errors` to what a write was refused with; false where it was not. LB3: a write sets them as `isValid` does. */
export function keepErrors(record: Model, refusal: ValidationError | undefined): void {
  const { codes = {}, messages = {} } = refusal?.details ?? {}
  const problems = Object.entries(messages).flatMap(([property, list]) =>
    list.map((message, index) => ({ property, message, code: codes[property]?.[index] ?? 'custom' }))
  )
  setErrors(record, problems)
}

/** Sets `errors` so that copies and storage leave it out. A property of this name stays what it is. */
function setErrors(record: Model, problems: readonly Problem[]): void {
  if (typeOf(record).byName.has('errors')) return
  const value = problems.length === 0 ? false : errorsOf(problems)
  Object.defineProperty(record, 'errors', { value, writable: true, configurable: true, enumerable: false })
}

function errorsOf(problems: readonly Problem[]): InstanceErrors {
  const [errors, codes]: Record<string, string[]>[] = [{}, {}]
  for (const { property, message, code } of problems) {
    ;((errors ?? {})[property] ??= []).push(message)
    ;((codes ?? {})[property] ??= []).push(code)
  }
  return Object.defineProperty(errors ?? {}, 'codes', { value: codes }) as InstanceErrors // codes was just added
}
