import type { ActionHooks } from '../contract/action-hooks.ts'
import { convertAgain } from '../model/build-instance.ts'
import { allInOrder, type Awaitable } from '@modelwire/server'
import { ValidationError, type ValidationDetails } from '../errors.ts'
import type { Row } from '../contract/row.ts'
import { type ModelInstance, stateOf, typeOf } from '../contract/model-instance.ts'
import { idOf, isComposite, isPart } from '../model/composite-key.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { PropertyType } from '../types/property-type.ts'
import type { Problem, RuleContext, Rule } from '../rules/rule.ts'
import { checkProblem, type ModelCheck } from '../rules/model-checks.ts'
import { isBlank } from '../rules/rules.ts'
import type { WrittenTogether } from './written-together.ts'

const dropped = new WeakMap<ModelType, Set<Rule>>()

/** Groups problems as in the 422 body. */
export function toDetails(context: string, problems: readonly Problem[]): ValidationDetails {
  const details: ValidationDetails = { context, codes: {}, messages: {} }
  for (const { property, code, message } of problems) {
    ;(details.codes[property] ??= []).push(code)
    ;(details.messages[property] ??= []).push(message)
  }
  return details
}

/** The error of a record that violates a check, for connectors whose database makes it, too. */
export const checkViolated = (model: ModelType, check: ModelCheck): ValidationError =>
  new ValidationError(toDetails(model.name, [checkProblem(check)]))

/** True if a client omitted a required id, or a part of it is none that an id can have. Databases count numbers even if they are not generated. */
export function lacksOwnId(model: ModelType, id: PropertyType, record: Readonly<Row>): boolean {
  const { name, type, generated, required, definition } = id
  const isCounted = definition.generated === false || model.dataSource?.connector.capabilities.countsTextIds === true
  // LB3: texts that are not generated are counted, too; pinned by relations/through-string-id
  if (model.registry.rules.countsTextIds && isCounted) return false
  if (isComposite(model)) return !isPart(id, record[name])
  return !generated && !required && type.kind === 'string' && isBlank(record[name])
}

/** The problems of names that a strict model does not declare. */
export const unknownProperties = (names: readonly string[]): Problem[] =>
  names.map((property) => ({ property, code: 'unknown-property', message: 'is not defined in the model' }))

/** A part of an id that is reported like the wrong types of other properties. */
const hasWrongType = (model: ModelType, record: ModelInstance, { name }: PropertyType): boolean =>
  isComposite(model) && stateOf(record).unusable?.has(name) === true

const problemOf = ({ name }: PropertyType, record: ModelInstance): Problem =>
  isBlank(record[name])
    ? { property: name, code: 'presence', message: "can't be blank" }
    : { property: name, code: 'format', message: 'cannot be part of an id' }

/** Problems that need no rule: an id chosen by the client, or missing. */
function idProblems(model: ModelType, record: ModelInstance, isNew: boolean): Problem[] {
  const problems: Problem[] = []
  const id = model.idProperty
  const isForced = id !== undefined && model.forceId && stateOf(record).hasOwnId !== true
  if (isNew && isForced && record[id.name] !== undefined && record[id.name] !== null) {
    problems.push({ property: id.name, code: 'absence', message: "can't be set" })
  }
  for (const part of isNew ? model.key : [])
    if (lacksOwnId(model, part, record) && !hasWrongType(model, record, part)) problems.push(problemOf(part, record))
  return problems
}

/**
 * Values that have the wrong type. LB3: LoopBack notices wrong dates alone and stores the rest as NaN or text, so the
 * others are only reported where there are no other problems; pinned by crud/create and crud/required.
 */
function typeProblems(record: ModelInstance, found: readonly Problem[]): readonly Problem[] {
  const { unusable } = stateOf(record)
  if (unusable === undefined) return []
  const problems = [...unusable].filter(
    ([property, { code }]) =>
      found.length === 0 ||
      (code === 'date' && !found.some((problem) => problem.property === property || problem.within === property))
  )
  return problems.map(([property, value]) => ({ property, code: value.code, message: value.message }))
}

/** The optional arguments of a validation. */
interface ValidationParts {
  /** Earlier records that are written together with it. */
  readonly together?: WrittenTogether | undefined
  /** The properties to write; all of them when absent. */
  readonly data?: Row | undefined
}

const isNews =
  (said: readonly Problem[]) =>
  ({ property, code }: Problem): boolean =>
    !said.some((problem) => problem.property === property && problem.code === code)

/**
 * The problems of a record: rules first, then undeclared properties of a strict model, in LoopBack's order. Synchronous if
 * all rules are.
 * @param isNew the record is about to be created
 */
export function findProblems(
  model: ModelType,
  record: ModelInstance,
  isNew: boolean,
  options: Record<string, unknown>,
  { together, data: written }: ValidationParts = {}
): readonly Problem[] | Promise<readonly Problem[]> {
  const problems = idProblems(model, record, isNew)
  // Rules of parts that are required say the same.
  const said = isComposite(model) && problems.length > 0 ? problems.slice() : undefined
  const context: RuleContext = {
    record,
    options,
    written,
    isTaken: (values) => isTaken(model, record, values, together)
  }
  const waiting: Promise<readonly Problem[]>[] = []
  const { unusable, undeclared } = stateOf(record)
  // A rule may add others, which count from the next record on.
  for (const rule of model.rules.slice()) {
    // The wrong type is already reported.
    if (unusable?.has(rule.property) === true && rule.options['asSchema'] === true) continue
    const found = rule.check(context)
    if (found instanceof Promise) waiting.push(found)
    else if (found.length > 0) problems.push(...(said === undefined ? found : found.filter(isNews(said))))
  }
  if (undeclared !== undefined) problems.push(...unknownProperties(undeclared))
  return waiting.length === 0 ? gather(model, record, problems, []) : collect(model, record, problems, waiting)
}

/** The problems of rules that answer at once and of types, then those of rules that had to wait. */
function gather(
  model: ModelType,
  record: ModelInstance,
  found: Problem[],
  late: readonly Problem[]
): readonly Problem[] {
  if (found.length === 0 && stateOf(record).unusable === undefined) return late
  const problems = [...found, ...typeProblems(record, [...found, ...late])]
  return [
    ...(problems.length > 1 && model.registry.rules.ordersProblemsByProperty ? byProperty(model, problems) : problems),
    ...late
  ]
}

async function collect(
  model: ModelType,
  record: ModelInstance,
  found: Problem[],
  waiting: readonly Promise<readonly Problem[]>[]
): Promise<readonly Problem[]> {
  return gather(model, record, found, (await allInOrder(waiting)).flat())
}

/**
 * LB3: rules are evaluated property by property: those that are required, or dates, in the order of the model, others
 * in the order of their first rules; undeclared ones come last. lib/validations.js, isValid
 */
function byProperty(model: ModelType, problems: readonly Problem[]): readonly Problem[] {
  const declared = model.properties.filter(({ required, type }) => required || type.kind === 'date')
  const names = [...declared.map(({ name }) => name), ...model.rules.map(({ property }) => property)]
  const validNames = [...new Set([model.idProperty?.name ?? '', ...names])]
  const place = ({ property }: Problem): number =>
    validNames.includes(property) ? validNames.indexOf(property) : validNames.length
  return problems.toSorted((one, other) => place(one) - place(other))
}

/**
 * True if another stored record, or one of those that are written together, has the same values. Values are compared as in
 * the database's unique indexes.
 */
export async function isTaken(
  model: ModelType,
  record: ModelInstance,
  values: Readonly<Record<string, unknown>>,
  together?: WrittenTogether
): Promise<boolean> {
  if (together?.has(values) === true) return true
  const id = idOf(model, record)
  const same = Object.entries(values).map(
    ([name, value]) =>
      ({
        kind: 'test',
        path: [name],
        type: model.byName.get(name)?.type,
        test: 'equals',
        value,
        byCollation: true
      }) as const
  )
  const rows =
    (await model.collection?.find({ where: { kind: 'and', conditions: same }, order: [], skip: 0, limit: 2 })) ?? []
  return rows.some((row) => id === undefined || String(idOf(model, row)) !== String(id))
}

/** False if a model (`automaticValidation: false`), or one call (the option `validate: false`), skips validation rules. */
export const isValidated = ({ definition }: ModelType, options: Readonly<Record<string, unknown>>): boolean =>
  (options['validate'] ?? definition.automaticValidation) !== false

/**
 * Throws for values that cannot be stored, whether or not rules are checked.
 * @throws {ValidationError} a value cannot become the type of its property, or the model is strict and declares no such
 * property
 */
export function refuseUnstorable(model: ModelType, record: ModelInstance): void {
  // LB3: undeclared properties of a strict model are dropped where rules are not checked; pinned by crud/strict-true.
  const unknown = model.registry.rules.toleratesUndeclared ? [] : unknownProperties(stateOf(record).undeclared ?? [])
  refuse(model, [...unknown, ...typeProblems(record, [])])
}

/**
 * Validates a record; returns a promise only if a rule is asynchronous. If rules are not checked, only {@link
 * refuseUnstorable} is.
 * @throws {ValidationError} the record breaks a rule of its model
 */
export function validateInstance(
  model: ModelType,
  record: ModelInstance,
  isNew: boolean,
  options: Record<string, unknown>,
  parts: ValidationParts = {}
): void | Promise<void> {
  if (!isValidated(model, options)) return refuseUnstorable(model, record)
  const find = (): Awaitable<readonly Problem[]> => findProblems(model, record, isNew, options, parts)
  if (model.registry.actionHooks?.has(record, ['validate']) === true)
    return validateAround(model.registry.actionHooks, record, find, parts.data)
  const found = find()
  return found instanceof Promise ? refuseLater(model, found) : refuse(model, found)
}

/** With the functions that stand around the validation of records. */
async function validateAround(
  hooks: ActionHooks,
  record: ModelInstance,
  find: () => Awaitable<readonly Problem[]>,
  data: unknown
): Promise<void> {
  const model = typeOf(record)
  const shouldContinue = await hooks.before(record, 'validate', data ?? record.toObject())
  convertAgain(model, record)
  // LB3: a function that ends the validation leaves the record valid; lib/hooks.js, trigger.
  if (!shouldContinue) return refuseUnstorable(model, record)
  const problems = await find()
  await hooks.after(record, 'validate')
  refuse(model, problems)
}

function refuse(model: ModelType, problems: readonly Problem[]): void {
  if (problems.length > 0) throw new ValidationError(toDetails(model.name, problems))
}

async function refuseLater(model: ModelType, problems: Promise<readonly Problem[]>): Promise<void> {
  refuse(model, await problems)
}

/** Removes the rules that satisfy `test` from a model, and keeps them from being added again. */
export function dropRules(model: ModelType, test: (rule: Rule) => boolean): void {
  const gone = dropped.get(model) ?? new Set<Rule>()
  dropped.set(model, gone)
  for (const rule of model.rules.filter(test)) {
    gone.add(rule)
    model.rules.splice(model.rules.indexOf(rule), 1)
  }
}

/** True for a rule that was removed from a model. */
export function isDropped(model: ModelType, rule: Rule): boolean {
  return dropped.get(model)?.has(rule) === true
}
