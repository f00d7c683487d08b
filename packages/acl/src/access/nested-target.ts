import {
  isPlainObject,
  type ModelType,
  type Operation,
  type OperationContext,
  type RelationDefinition
} from '@modelwire/core'
import type { RoleContext } from '../roles/role-context.ts'
import type { Call } from '../rules/rule.ts'
import type { AccessParts } from './access-parts.ts'
import { decide } from './decide.ts'
import { compileDecision, type Decision, withStored } from './decision.ts'
import { fitsPatched } from './keeps-rows.ts'
import { narrowTo } from './narrow-rows.ts'
import { fitsRelated } from './fits-related.ts'
import { rowsQuestionOf } from './rows-question-of.ts'

/** What a method of a relation does to the related model. */
interface TargetMethod {
  readonly method: string
  readonly accessType: Call['accessType']
  /** The argument that narrows a list. */
  readonly list?: 'filter' | 'where'
}

const read = (method: string): TargetMethod => ({ method, accessType: 'READ' })
const write = (method: string): TargetMethod => ({ method, accessType: 'WRITE' })

const ofLists: Readonly<Record<string, TargetMethod>> = {
  get: { ...read('find'), list: 'filter' },
  count: { ...read('count'), list: 'where' },
  findById: read('findById'),
  exists: read('exists'),
  // A link shows a record, and changes none of the related model.
  link: read('findById'),
  unlink: read('findById'),
  create: write('create'),
  updateById: write('patchAttributes'),
  destroyById: write('deleteById'),
  delete: write('destroyAll')
}
const ofOne: Readonly<Record<string, TargetMethod>> = {
  get: read('findById'),
  create: write('create'),
  update: write('patchAttributes'),
  destroy: write('deleteById')
}

const toMany: ReadonlySet<string> = new Set(['hasMany', 'hasAndBelongsToMany', 'referencesMany', 'embedsMany'])
const relationMethod = /^prototype\.__([a-zA-Z]+)__(.+)$/

/** A method of a relation with what it leads to. */
interface Nested {
  readonly target: TargetMethod
  readonly modelOf: (context: OperationContext) => ModelType | undefined
  readonly idOf: (context: OperationContext, target: ModelType) => unknown
  /** The name of the relation, where it belongs to the record of the route. */
  readonly relation: string | undefined
}

interface Found {
  readonly relation: RelationDefinition
  readonly name: string
  /** It belongs to the model of the route, whose record is at hand. */
  readonly isDirect: boolean
}

/** The last relation of a path such as `posts` or `posts__comments`. */
function relationAt(model: ModelType, path: string): Found | undefined {
  const { relations = {} } = model.definition
  const own = relations[path]
  if (own !== undefined) return { relation: own, name: path, isDirect: true }
  const [name = '', ...rest] = path.split('__')
  const next = relations[name]?.model
  const between = next === undefined || rest.length === 0 ? undefined : model.registry.find(next)
  const found = between && relationAt(between, rest.join('__'))
  return found && { ...found, isDirect: false }
}

const valueIn = (instance: object | undefined, name: string): unknown =>
  instance === undefined ? undefined : Reflect.get(instance, name)

/** The model of a relation; where it leads to several, the record says which. */
function modelReader({ registry }: ModelType, { relation, name }: Found): Nested['modelOf'] {
  const { model, polymorphic } = relation
  if (model !== undefined) return () => registry.find(model)
  const written = isPlainObject(polymorphic) ? polymorphic['discriminator'] : undefined
  const discriminator = typeof written === 'string' ? written : `${name}Type`
  return ({ instance }) => registry.find(String(valueIn(instance, discriminator)))
}

/** The id of the related record, where it is known. Parts of a record have ids that name no record, and some keys hold no id. */
function idReader({ relation, name, isDirect }: Found): Nested['idOf'] {
  const { type, polymorphic, foreignKey, primaryKey } = relation
  if (type.startsWith('embeds')) return () => undefined
  const keys = isPlainObject(polymorphic) ? polymorphic : {}
  const key = String(foreignKey ?? keys['foreignKey'] ?? `${name}Id`)
  const held = primaryKey ?? keys['idName'] ?? relation['idName']
  const holdsId = ({ idProperty }: ModelType): boolean => held === undefined || held === idProperty?.name
  const inRecord = ({ instance }: OperationContext, target: ModelType): unknown =>
    isDirect && type === 'belongsTo' && holdsId(target) ? valueIn(instance, key) : undefined
  return (context, target) => context.args['fk'] ?? inRecord(context, target)
}

function nestedCall({ model, name }: Operation): Nested | undefined {
  const [, method = '', path = ''] = relationMethod.exec(name) ?? []
  const found = relationAt(model, path)
  if (found === undefined) return undefined
  const { relation } = found
  const target = (toMany.has(relation.type) ? ofLists : ofOne)[method]
  if (target === undefined) return undefined
  const named = found.isDirect ? found.name : undefined
  return { target, modelOf: modelReader(model, found), idOf: idReader(found), relation: named }
}

/** Finds what decides about calls of a related model, once for each. */
function decisions({ stored }: AccessParts): (model: ModelType, target: TargetMethod) => Promise<Decision> {
  const known = new Map<ModelType, Decision>()
  return async (model, { method, accessType }) => {
    const call: Call = { model: model.name, method, aliases: [], accessType }
    const decision = known.get(model) ?? compileDecision(model, call)
    known.set(model, decision)
    return stored.canHold() ? withStored(decision, await stored.read(), call) : decision
  }
}

/**
 * Makes the function that says what the rules of the related model think of a call of a method of a relation. Undefined for
 * other operations.
 */
export function compileNestedTarget(
  operation: Operation,
  parts: AccessParts
): ((context: OperationContext) => Promise<boolean>) | undefined {
  const nested = nestedCall(operation)
  if (nested === undefined) return undefined
  const { target, modelOf, idOf } = nested
  const decisionOf = decisions(parts)
  return async (context) => {
    const model = modelOf(context)
    // Nothing is related, or something of a model that is gone.
    if (model === undefined) return true
    const { principal, options } = context
    const modelId = idOf(context, model)
    const { method, accessType } = target
    const asked = { principal, model, modelId, method, accessType, record: undefined, call: context }
    const facts: RoleContext = { ...asked, accessToken: options['accessToken'] }
    const { allowed, rule } = await decide(await decisionOf(model, target), facts, parts.roles)
    if (!allowed || rule?.rows === undefined) return allowed
    const rows = parts.rowsOf(rule.rows)
    const question = rowsQuestionOf(context, model, method)
    if (target.list !== undefined) return narrowTo(context, target.list, await rows.where(question))
    if (method === 'create') return fitsRelated(context, nested.relation, rows, question)
    if (!(await rows.among(question, [{ id: modelId, record: undefined }]))[0]) return false
    const { data } = context.args
    const mayGiveAway = rule.rows === '$owner' && !parts.recheckOwner
    const isKept = method !== 'patchAttributes' || mayGiveAway || !isPlainObject(data)
    return isKept || fitsPatched(rows, question, { id: modelId, record: undefined }, data)
  }
}
