import { type Model, OperationContext } from '@modelwire/core'
import {
  type Argument,
  argument,
  callData,
  callOf,
  type Operation,
  optionsFor,
  repository,
  type ResolvedRelation,
  callArguments,
  callReturns
} from '@modelwire/core/plugin'
import { type ModelType, shortName } from '@modelwire/core/connector'
import { isPlainObject } from '@modelwire/server'
import type { ExposedMethod } from '../kinds/relation-kind.ts'
import {
  type MakeRelationOperation,
  relatedOf,
  returnedModel,
  type ToManyMethods,
  type ToOneMethods
} from '../related.ts'
import { behaviourOf } from '../kinds/behaviour-of.ts'
import { describeRelated } from './describe-related.ts'
import { type AccessorMethod, type AccessorStyle, styled } from '../accessors/relation-accessors.ts'

/** The argument for the id of a related record in the path. */
export const fkArgument: Argument = argument(
  'fk',
  'path',
  { kind: 'any' },
  { required: true, isId: true, description: 'Id of the related record' }
)

/** LB3: whether to read again; what is not cached is always read. */
const refreshArgument: Argument = argument('refresh', 'query', { kind: 'boolean' })

function toOneMethodsOf(relation: ResolvedRelation): ToOneMethods {
  const kind = behaviourOf(relation)
  if (!kind.many) return kind.methods
  throw new TypeError(`${relation.from.name}.${relation.name} leads to many records`)
}

/** LB3: a missing record is a 404 except for belongsTo, and an embedded one that never existed is a 204. */
function isMissing({ holdsKey }: ResolvedRelation): ((context: OperationContext) => boolean) | undefined {
  return holdsKey === 'one' ? undefined : ({ result }) => result === null
}

const getOne: MakeRelationOperation = (relation) => {
  const missing = isMissing(relation)
  return describeRelated(relation, 'get', {
    accepts: [refreshArgument, callArguments.options],
    returns: callReturns.record(returnedModel(relation)),
    endpoints: [['GET', `/:id/${relation.settings.path}`]],
    accessType: 'READ',
    description: `Read ${relation.name}`,
    ...(missing === undefined ? {} : { foundNothing: missing }),
    invoke: async (context) => {
      const found = await toOneMethodsOf(relation).get(relatedOf(relation, context))
      // LB3: a reference that leads nowhere is an empty object, an embedded record that never existed is a 204.
      return found === undefined && !relation.embeds ? {} : found
    }
  })
}

const createOne: MakeRelationOperation = (relation) =>
  describeRelated(relation, 'create', {
    accepts: [bodyArgument(returnedModel(relation)), callArguments.options],
    returns: callReturns.record(returnedModel(relation)),
    endpoints: [['POST', `/:id/${relation.settings.path}`]],
    accessType: 'WRITE',
    description: `Create ${relation.name}`,
    invoke: (context) => toOneMethodsOf(relation).create?.(relatedOf(relation, context), context.args['data'])
  })

const update: MakeRelationOperation = (relation) =>
  describeRelated(relation, 'update', {
    accepts: [bodyArgument(returnedModel(relation)), callArguments.options],
    returns: callReturns.record(returnedModel(relation)),
    endpoints: [['PUT', `/:id/${relation.settings.path}`]],
    accessType: 'WRITE',
    description: `Update ${relation.name} in part`,
    invoke: (context) => toOneMethodsOf(relation).update?.(relatedOf(relation, context), callData(context))
  })

const destroy: MakeRelationOperation = (relation) => ({
  ...describeRelated(relation, 'destroy', {
    accepts: [callArguments.options],
    returns: callReturns.root('count'),
    endpoints: [['DELETE', `/:id/${relation.settings.path}`]],
    accessType: 'WRITE',
    description: `Delete ${relation.name}`,
    invoke: (context) => toOneMethodsOf(relation).destroy?.(relatedOf(relation, context))
  }),
  returns: []
})

/** The operations of to-one relations, by name. */
export const toOneOperations: Readonly<Partial<Record<ExposedMethod, MakeRelationOperation>>> = {
  get: getOne,
  create: createOne,
  update,
  destroy
}

/** An argument in the body: one record of `model`, or several. */
export function bodyArgument(model: ModelType, allowArray = false): Argument {
  return { ...callArguments.data(model, allowArray), description: `A ${model.name}` }
}

/** The behaviour of a relation to several records. */
export function toManyMethodsOf(relation: ResolvedRelation): ToManyMethods {
  const kind = behaviourOf(relation)
  if (kind.many) return kind.methods
  throw new TypeError(`${relation.from.name}.${relation.name} leads to one record`)
}

const get: MakeRelationOperation = (relation) =>
  describeRelated(relation, 'get', {
    accepts: [callArguments.filter, callArguments.options],
    returns: callReturns.record(returnedModel(relation), true),
    endpoints: [['GET', `/:id/${relation.settings.path}`]],
    accessType: 'READ',
    description: `Find ${relation.name}`,
    invoke: (context) => {
      const { find, list = find } = toManyMethodsOf(relation)
      return list(relatedOf(relation, context), context.args['filter'])
    }
  })

const create: MakeRelationOperation = (relation) =>
  describeRelated(relation, 'create', {
    accepts: [bodyArgument(returnedModel(relation), true), callArguments.options],
    returns: callReturns.record(returnedModel(relation)),
    endpoints: [['POST', `/:id/${relation.settings.path}`]],
    accessType: 'WRITE',
    description: `Create a record in ${relation.name}, or several`,
    invoke: (context) => toManyMethodsOf(relation).create(relatedOf(relation, context), context.args['data'])
  })

const destroyAll: MakeRelationOperation = (relation) => ({
  ...describeRelated(relation, 'delete', {
    accepts: [callArguments.options],
    returns: callReturns.root('count'),
    endpoints: [['DELETE', `/:id/${relation.settings.path}`]],
    accessType: 'WRITE',
    description: `Delete all ${relation.name}`,
    invoke: (context) => toManyMethodsOf(relation).destroyAll(relatedOf(relation, context), undefined)
  }),
  returns: []
})

const count: MakeRelationOperation = (relation) =>
  describeRelated(relation, 'count', {
    accepts: [callArguments.where, callArguments.options],
    returns: callReturns.named('count', 'number'),
    endpoints: [['GET', `/:id/${relation.settings.path}/count`]],
    accessType: 'READ',
    description: `Count ${relation.name}`,
    invoke: (context) => toManyMethodsOf(relation).count(relatedOf(relation, context), context.args['where'])
  })

const findById: MakeRelationOperation = (relation) =>
  describeRelated(relation, 'findById', {
    accepts: [fkArgument, callArguments.options],
    returns: callReturns.record(returnedModel(relation)),
    endpoints: [['GET', `/:id/${relation.settings.path}/:fk`]],
    accessType: 'READ',
    description: `Find a record of ${relation.name} by its id`,
    foundNothing: ({ result }) => result === null,
    invoke: (context) => toManyMethodsOf(relation).findById(relatedOf(relation, context), context.args['fk'])
  })

const updateById: MakeRelationOperation = (relation) =>
  describeRelated(relation, 'updateById', {
    accepts: [fkArgument, bodyArgument(returnedModel(relation)), callArguments.options],
    returns: callReturns.record(returnedModel(relation)),
    endpoints: [['PUT', `/:id/${relation.settings.path}/:fk`]],
    accessType: 'WRITE',
    description: `Update a record of ${relation.name} in part`,
    invoke: (context) =>
      toManyMethodsOf(relation).updateById(relatedOf(relation, context), context.args['fk'], callData(context))
  })

const destroyById: MakeRelationOperation = (relation) => ({
  ...describeRelated(relation, 'destroyById', {
    accepts: [fkArgument, callArguments.options],
    returns: callReturns.root('count'),
    endpoints: [['DELETE', `/:id/${relation.settings.path}/:fk`]],
    accessType: 'WRITE',
    description: `Delete a record of ${relation.name}`,
    invoke: (context) => toManyMethodsOf(relation).destroyById(relatedOf(relation, context), context.args['fk'])
  }),
  returns: []
})

/** The operations of to-many relations, by name. */
export const toManyOperations: Readonly<Partial<Record<ExposedMethod, MakeRelationOperation>>> = {
  findById,
  destroyById,
  updateById,
  get,
  create,
  delete: destroyAll,
  count
}

/** The functions of the methods of relations: `Author.prototype.__get__books`. Scripts may replace them. */
export interface RelationFunctions {
  /** Defines a function per operation on the records of its model. */
  readonly define: (operations: readonly Operation[]) => void
  /** The operation, using the application's own function if there is one. */
  readonly respect: (operation: Operation) => Operation
}

const isFunction = (value: unknown): value is AccessorMethod => typeof value === 'function'

const link: MakeRelationOperation = (relation) => {
  const { through } = relation
  // LB3: only a record between can hold data of its own.
  const data = through === undefined ? [] : [bodyArgument(through.model)]
  return describeRelated(relation, 'link', {
    accepts: [fkArgument, ...data, callArguments.options],
    returns: callReturns.record(through?.model ?? returnedModel(relation)),
    endpoints: [['PUT', `/:id/${relation.settings.path}/rel/:fk`]],
    accessType: 'WRITE',
    description: `Add a record to ${relation.name} by its id`,
    invoke: (context) =>
      toManyMethodsOf(relation).add?.(relatedOf(relation, context), context.args['fk'], context.args['data'])
  })
}

const unlink: MakeRelationOperation = (relation) => ({
  ...describeRelated(relation, 'unlink', {
    accepts: [fkArgument, callArguments.options],
    returns: callReturns.root('count'),
    endpoints: [['DELETE', `/:id/${relation.settings.path}/rel/:fk`]],
    accessType: 'WRITE',
    description: `Remove a record from ${relation.name}; it is not deleted`,
    invoke: (context) => toManyMethodsOf(relation).remove?.(relatedOf(relation, context), context.args['fk'])
  }),
  returns: []
})

const existsReturn: Operation['returns'][number] = { name: 'exists', root: true, type: { kind: 'boolean' } }

const exists: MakeRelationOperation = (relation) =>
  describeRelated(relation, 'exists', {
    accepts: [fkArgument, callArguments.options],
    returns: existsReturn,
    endpoints: [['HEAD', `/:id/${relation.settings.path}/rel/:fk`]],
    accessType: 'READ',
    description: `Check whether a record is in ${relation.name}`,
    foundNothing: ({ result }) => result === false,
    invoke: (context) => toManyMethodsOf(relation).exists(relatedOf(relation, context), context.args['fk'])
  })

/** The operations that join existing records, by their name. */
const linkOperations: Readonly<Partial<Record<ExposedMethod, MakeRelationOperation>>> = { link, unlink, exists }

/** The operations of one relation, in LoopBack's order. @see tables of the conformance data, by kind */
export function relationOperations(relation: ResolvedRelation): Operation[] {
  const kind = behaviourOf(relation)
  const makers = kind.many ? { ...toManyOperations, ...linkOperations } : toOneOperations
  return kind.exposes.flatMap((method) => makers[method]?.(relation) ?? [])
}

/** Calls an operation as code calls a method: its arguments in their order, options last. */
async function run(operation: Operation, instance: Model, values: readonly unknown[]): Promise<unknown> {
  const names = operation.accepts.map(({ name }) => name)
  const args = Object.fromEntries(names.map((name, at) => [name, values[at]]))
  const supplied = args['options']
  const { options, client, grant } = callOf(isPlainObject(supplied) ? supplied : undefined)
  const context = new OperationContext(operation, { args, options, client, wantsInstances: true })
  context.grant = grant
  context.instance = instance
  return repository.toValue(await operation.invoke(context))
}

/** Makes the functions of one registry's relations. */
export function relationFunctions(style: AccessorStyle): RelationFunctions {
  const made = new WeakSet()
  return {
    define: (operations) => {
      for (const operation of operations) {
        const value = styled(async function (this: Model, ...values: unknown[]) {
          return run(operation, this, values)
        }, style)
        made.add(value)
        const { prototype } = operation.model.modelClass
        Object.defineProperty(prototype, shortName(operation.name), { configurable: true, writable: true, value })
      }
    },
    respect: (operation) => {
      const { model } = operation
      const own: unknown = Reflect.get(model.modelClass.prototype, shortName(operation.name))
      if (!isFunction(own) || made.has(own)) return operation
      const invoke = (context: OperationContext): unknown => {
        // The function acts for the client where it passes its options on.
        const callArgs: Record<string, unknown> = { ...context.args, options: optionsFor(context) }
        const args = operation.accepts.map(({ name }) => callArgs[name])
        return model.registry.callMethod(own, context.instance, args, operation)
      }
      return { ...operation, invoke, runsApplicationCode: true }
    }
  }
}
