import {
  argument,
  type Argument,
  methodString,
  type Model,
  type Operation,
  type OperationContext,
  RecordNotFound
} from '@modelwire/core'
import type { Relation } from '../relation.ts'
import { relatedOf } from './run-related.ts'

/** How the methods of related records are reached through a relation. */
export interface Nesting {
  readonly relation: Relation
  /** Path segment; the relation's own when absent. */
  readonly pathName?: string | undefined
  /** Name of the argument with the related record's id. Default `nk`. */
  readonly paramName?: string | undefined
  /** False: the remote hooks of the related model's methods do not run. */
  readonly hooks?: boolean | undefined
  /** The name of the nested method, `prototype.` left out; nothing leaves the method out. */
  readonly filterMethod?: ((method: NestableMethod, relation: Relation) => unknown) | undefined
}

/** A method that may be nested. */
export interface NestableMethod {
  /** LoopBack's name, `prototype.` left out. */
  readonly name: string
  readonly isStatic: false
}

const relationMethod = /^prototype\.(__([^_]+)__([^_]+))$/

function nestedKey(name: string): Argument {
  return argument(name, 'path', { kind: 'any' }, { required: true, isId: true, description: 'Id of the nested record' })
}

/**
 * The record that the nested method runs on. LB3: undefined where a relation to one record leads to none.
 * @throws {RecordNotFound} the parent has no such record
 */
async function findNested(
  { relation, paramName = 'nk' }: Nesting,
  context: OperationContext
): Promise<Model | undefined> {
  const related = relatedOf(relation, context)
  if (relation.kind.many) return relation.kind.methods.findById(related, context.args[paramName])
  const found = await relation.kind.methods.get(related)
  if (found !== null && found !== undefined) return found
  if (relation.from.registry.compat) return undefined
  throw new RecordNotFound(`the ${relation.from.name} has no ${relation.name}`)
}

/** LB3: where nothing leads to the record that a method runs on, reading one by its id is a 404 and all else is null. */
function nestedNothing({ name, foundNothing }: Operation): Operation['foundNothing'] {
  return name.startsWith('prototype.__findById__') ? ({ result }) => result === null : foundNothing
}

function nest(nesting: Nesting, operation: Operation, name: string): Operation {
  const { relation, pathName = relation.settings.path, paramName = 'nk', hooks = true } = nesting
  const { many } = relation.kind
  const root = many ? `/:id/${pathName}/:${paramName}` : `/:id/${pathName}`
  const foundNothing = nestedNothing(operation)
  const { relatedBy } = operation
  return {
    ...operation,
    ...(foundNothing === undefined ? {} : { foundNothing }),
    ...(relatedBy === undefined ? {} : { relatedBy: { ...relatedBy, through: relation.name } }),
    model: relation.from,
    name,
    delegate: hooks ? methodString(operation) : undefined,
    accepts: many ? [nestedKey(paramName), ...operation.accepts] : operation.accepts,
    endpoints: operation.endpoints.map(({ verb, path }) => ({ verb, path: root + path.slice('/:id'.length) })),
    invoke: async (context) => {
      const parent = context.instance
      const nested = await findNested(nesting, context)
      if (nested === undefined) return null
      context.instance = nested
      try {
        return await operation.invoke(context)
      } finally {
        context.instance = parent
      }
    }
  }
}

/**
 * The operations of the related model's own relations, one level down: `prototype.__get__posts__comments` at
 * `/authors/:id/posts/:nk/comments`.
 * @param operations those of the related model's relations
 * @see LoopBack 3: loopback, lib/model.js, nestRemoting
 */
export function nestedOperations(nesting: Nesting, operations: readonly Operation[]): Operation[] {
  const { relation, filterMethod } = nesting
  return operations.flatMap((operation) => {
    const [, name, method, inner] = relationMethod.exec(operation.name) ?? []
    if (name === undefined) return []
    const usual = `__${method}__${relation.name}__${inner}`
    const chosen = filterMethod === undefined ? usual : filterMethod({ name, isStatic: false }, relation)
    return typeof chosen === 'string' && chosen !== '' ? [nest(nesting, operation, `prototype.${chosen}`)] : []
  })
}
