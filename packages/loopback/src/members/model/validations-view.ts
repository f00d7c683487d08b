import { ScriptArgumentInvalid } from '../../errors.ts'
import { callBack, isFunction } from '../../callback-bridge.ts'
import { oldHooks } from './old-hooks.ts'
import { andThen, type Awaitable, isPlainObject } from '@modelwire/server'
import {
  dropRules,
  findProblems,
  makeCustomRule,
  makeRule,
  type Problem,
  type Rule,
  typeOf
} from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import type { Model, ValidationError } from '@modelwire/core'

type Kind = Parameters<typeof makeRule>[0]

/** `instance.errors`: messages by property, with their codes. False if the record is valid. */
type InstanceErrors = false | (Record<string, string[]> & { readonly codes: Record<string, string[]> })

/** A rule as scripts find it in `Model.validations`. */
export type ValidationView = Readonly<Record<string, unknown> & { validation: string; options: object }>

type Validations = Record<string, readonly ValidationView[]>

/** LB3: `forceId` is a rule about the id, and dates have a rule of their own. */
const implied: readonly (readonly [holds: (model: ModelType, name: string) => boolean, view: ValidationView])[] = [
  [
    ({ forceId, idProperty }, name) => forceId && idProperty?.name === name,
    { validation: 'absence', if: 'isNewRecord', options: {} }
  ],
  [({ byName }, name) => byName.get(name)?.type.kind === 'date', { validation: 'date', options: {} }]
]

function viewOf({ kind, options }: Rule): ValidationView {
  return Object.freeze({ ...options, validation: kind, options: {} })
}

function readValidations(model: ModelType): Validations {
  const names = new Set([...model.properties.map(({ name }) => name), ...model.rules.map(({ property }) => property)])
  const views = Array.from(names, (name) => {
    const own = model.rules.filter(({ property }) => property === name).map(viewOf)
    const others = implied.filter(([holds]) => holds(model, name)).map(([, view]) => view)
    return [name, Object.freeze([...others, ...own])] as const
  })
  return Object.fromEntries(views.filter(([, list]) => list.length > 0))
}

/** Leaves a property the rules of some kinds alone. */
function keepKinds(model: ModelType, name: string, kinds: ReadonlySet<unknown>): void {
  dropRules(model, ({ property, kind }) => property === name && !kinds.has(kind))
  if (model.idProperty?.name === name && !kinds.has('absence')) model.forceId = false
}

/**
 * `Model.validations`: the current rules of a model by property. `delete Model.validations.email` removes the rules of a
 * property, and assigning a shorter list some of them.
 * @see LoopBack 3: loopback-datasource-juggler, lib/validations.js, configure
 */
export function validationsView(model: ModelType): Validations {
  const current = (): Validations => readValidations(model)
  return new Proxy<Validations>(
    {},
    {
      get: (target, key, receiver): unknown =>
        typeof key === 'string' ? current()[key] : Reflect.get(target, key, receiver),
      has: (_target, key) => key in current(),
      ownKeys: () => Reflect.ownKeys(current()),
      getOwnPropertyDescriptor: (_target, key) => {
        const value = typeof key === 'string' ? current()[key] : undefined
        return value && { value, enumerable: true, configurable: true, writable: true }
      },
      deleteProperty: (_target, key) => {
        keepKinds(model, String(key), new Set())
        return true
      },
      set: (_target, key, value: unknown) => {
        keepKinds(model, String(key), new Set(readKinds(model, String(key), value)))
        return true
      }
    }
  )
}

/** @throws {ScriptArgumentInvalid} the list has what the model has not */
function readKinds(model: ModelType, name: string, value: unknown): readonly unknown[] {
  const kinds = Array.isArray(value)
    ? value.map((item: unknown) => Reflect.get(Object(item), 'validation') as unknown)
    : undefined
  const existing = readValidations(model)[name] ?? []
  if (kinds?.every((kind) => existing.some(({ validation }) => validation === kind)) === true) return kinds
  throw new ScriptArgumentInvalid(
    'rules can only be removed from validations: add them with validatesPresenceOf and the like',
    {
      model: model.name,
      key: `validations.${name}`
    }
  )
}

/**
 * Implements `instance.isValid(callback)`: it sets `errors` and returns whether there are none. If all rules are
 * synchronous it calls back before it returns; otherwise it returns undefined and calls back later. A rule that fails
 * counts as a problem of the record.
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
  // What the callback throws is not a failure of a promise.
  process.nextTick(callBack, conclude, problems)
}

function problemOf(reason: unknown): Problem {
  return { property: 'base', code: 'custom', message: reason instanceof Error ? reason.message : String(reason) }
}

/**
 * Sets `errors` to the validation errors of a refused write; false if there are none. LB3: a write sets them as `isValid`
 * does.
 */
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

/** LB3: models that extend this one do not have the rules of its script; lib/validations.js, configure. */
function addRule(model: ModelType, rule: Rule): void {
  model.rules.push(model.registry.rules.keepsRulesFromExtending ? { ...rule, isOwn: true } : rule)
}

/** Adds a rule for each property in `args`; the last one may be the options. */
export function addRules(model: ModelType, kind: Kind, args: readonly unknown[]): void {
  const options = isPlainObject(args.at(-1)) ? (args.at(-1) as Parameters<typeof makeRule>[2]) : {} // options of a script are taken as they are
  const names = args.filter((name) => typeof name === 'string')
  if (names.length === 0)
    throw new ScriptArgumentInvalid(`the rule "${kind}" requires the name of a property`, { model: model.name })
  for (const name of names) addRule(model, makeRule(kind, name, options))
}

/** Adds a rule implemented by a function of the script, with the record as `this`. */
export function addCustomRule(model: ModelType, args: readonly unknown[], async: boolean): void {
  const [property, validate, options] = args
  if (typeof property !== 'string' || !isFunction(validate)) {
    throw new ScriptArgumentInvalid('validate requires the name of a property and a function', { model: model.name })
  }
  const input = isPlainObject(options) ? (options as Parameters<typeof makeRule>[2]) : {} // options of a script are taken as they are
  addRule(model, makeCustomRule(property, validate, input, async))
}
