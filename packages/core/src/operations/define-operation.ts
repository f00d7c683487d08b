import { addOperation, type AccessType, type Argument, type HttpVerb, type Operation } from './operation.ts'
import { OptionalKind, type Static, type TObject, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { toProperties } from '../definition/typebox-properties.ts'
import { InvalidDefinition, RegistrySealed } from '../definition/errors.ts'
import { InvalidArgument } from '../errors.ts'
import type { Instance } from '../typed/instance-types.ts'
import type { ModelFacts, UnknownFacts } from '../definition/model-facts.ts'
import type { ModelClass } from '../typed/model-class.ts'
import type { ModelType } from '../contract/model-type.ts'
import { schemaCheck } from '../rules/check-schema.ts'
import { compileProperty } from '../types/compile-type.ts'
import { effectOfMethod } from './effect.ts'
import { endpointPath, nameOfRecords } from '../definition/method-table.ts'
import type { OperationContext } from './operation-context.ts'

/** A method that clients can call, with the types of its arguments and its result. */
export interface OperationOptions<Accepts extends TProperties, Returns extends TSchema> {
  /** Its name in access rules and documents. */
  readonly name: string
  /** Default GET for operations of the access type READ, else POST. */
  readonly verb?: HttpVerb
  /** Below the model's path. Default the name. `:name` marks an argument in the path. */
  readonly path?: string
  /** Arguments by name, read from the path, the body, the query or a header. */
  readonly accepts?: Accepts
  /** The whole response body; without it the operation returns 204. */
  readonly returns?: Returns
  /** Status of a success. Default 200, or 204 without `returns`. */
  readonly status?: number
  /** Default READ for GET, else EXECUTE. */
  readonly accessType?: AccessType
  /** The response contains a secret, such as a token or a key: it is not kept for an idempotency key. */
  readonly returnsSecret?: boolean
  readonly description?: string
}

type Arguments<Accepts extends TProperties> = Static<TObject<Accepts>>
type Answer<Returns extends TSchema> = Static<Returns> | Promise<Static<Returns>>

/**
 * An operation of the model itself.
 */
export interface StaticOperation<Accepts extends TProperties, Returns extends TSchema> extends OperationOptions<
  Accepts,
  Returns
> {
  readonly handler: (args: Arguments<Accepts>, context: OperationContext) => Answer<Returns>
}

/** An instance operation, whose record is loaded by the id in the path; 404 if it does not exist. */
export interface InstanceOperation<
  T extends object,
  Accepts extends TProperties,
  Returns extends TSchema,
  F extends ModelFacts = UnknownFacts
> extends OperationOptions<Accepts, Returns> {
  readonly handler: (record: Instance<T, F>, args: Arguments<Accepts>, context: OperationContext) => Answer<Returns>
}

function toArguments(model: ModelType, operation: string, accepts: TProperties): Argument[] {
  const properties = toProperties(Type.Object(accepts), model.name)
  return Object.entries(properties).map(([name, definition]) => {
    const property = compileProperty(name, definition, {
      model: model.name,
      key: `operations.${operation}.accepts.${name}`,
      dottedNames: true
    })
    const required = accepts[name]?.[OptionalKind] !== 'Optional' && definition.default === undefined
    return {
      name,
      type: property.type,
      source: 'any',
      required,
      allowArray: false,
      default: definition.default,
      description: typeof definition.description === 'string' ? definition.description : undefined,
      documentedSchema: accepts[name]
    }
  })
}

/** Checks converted arguments against their schemas. */
function compileCheck(accepts: TProperties): (args: Record<string, unknown>) => void {
  const problemOf = schemaCheck(Type.Object(accepts))
  return (args) => {
    const problem = problemOf(args)
    if (problem !== undefined)
      throw new InvalidArgument(`${problem.path.slice(1).replaceAll('/', '.')}: ${problem.message}`)
  }
}

/** Arguments without the absent ones, with defaults filled in. */
function completeArguments(list: readonly Argument[], args: Record<string, unknown>): Record<string, unknown> {
  const entries = list.map(({ name, default: otherwise }) => [name, args[name] ?? otherwise] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

type Call = (args: Record<string, unknown>, context: OperationContext) => unknown

/** @throws {RegistrySealed} `rest` is registered already @throws {InvalidDefinition} the name is empty */
function checkDeclared(model: ModelType, name: string): void {
  if (name === '') throw new InvalidDefinition('an operation needs a name', { model: model.name })
  if (model.registry.sealed) {
    throw new RegistrySealed('the API is mounted, so operations can no longer be defined: define them before rest', {
      model: model.name,
      key: `operations.${name}`
    })
  }
}

function declareOperation(
  model: ModelType,
  onInstance: boolean,
  options: OperationOptions<TProperties, TSchema>,
  call: Call
): void {
  const { name, accepts = {}, returns } = options
  checkDeclared(model, name)
  const verb = options.verb ?? (options.accessType === 'READ' ? 'GET' : 'POST')
  const list = toArguments(model, name, accepts)
  const check = compileCheck(accepts)
  const endpoints = [{ verb, path: endpointPath(onInstance, options.path ?? name) }]
  const operation: Operation = {
    model,
    name: onInstance ? nameOfRecords(name) : name,
    aliases: [],
    onInstance,
    accepts: list,
    returns: returns === undefined ? [] : [{ name: 'data', type: { kind: 'any' }, root: true, schema: returns }],
    endpoints,
    status: options.status,
    accessType: options.accessType ?? (verb === 'GET' || verb === 'HEAD' ? 'READ' : 'EXECUTE'),
    returnsSecret: options.returnsSecret,
    documented: true,
    description: options.description,
    runsApplicationCode: true,
    effect: effectOfMethod(onInstance, list, endpoints),
    invoke: (context) => {
      const args = completeArguments(list, context.args)
      check(args)
      return call(args, context)
    }
  }
  addOperation(operation)
}

/**
 * Adds an operation to a model: `POST /Products/import`. Define it before `rest` is registered.
 * @throws {UnknownPropertyType} a schema of `accepts` has no counterpart among the types of arguments
 * @throws {RegistrySealed} `rest` is registered already
 * @example
 * ```ts
 * import { defineOperation } from '@modelwire/core'
 * import { rest } from '@modelwire/rest'
 * import { Type } from '@sinclair/typebox'
 *
 * const handler = () => app.models.Product.count({ stock: { gt: 0 } })
 * defineOperation(app.models.Product, { name: 'in-stock', verb: 'GET', returns: Type.Number(), handler })
 * await app.register(rest)
 * console.log((await app.inject('/Products/in-stock')).body) // 1
 * ```
 */
export function defineOperation<
  T extends object,
  F extends ModelFacts,
  Accepts extends TProperties = TProperties,
  Returns extends TSchema = TSchema
>(modelClass: ModelClass<T, F>, operation: StaticOperation<Accepts, Returns>): void {
  // `check` made sure that the arguments match the schemas.
  declareOperation(modelClass.modelType, false, operation, (args, context) =>
    operation.handler(args as Arguments<Accepts>, context)
  )
}

/**
 * Adds an operation to the records of a model: `POST /Products/:id/restock`. Define it before `rest` is registered.
 * @throws {UnknownPropertyType} a schema of `accepts` has no counterpart among the types of arguments
 * @throws {RegistrySealed} `rest` is registered already
 * @example
 * ```ts
 * import { defineInstanceOperation } from '@modelwire/core'
 * import { rest } from '@modelwire/rest'
 * import { Type } from '@sinclair/typebox'
 *
 * defineInstanceOperation(app.models.Product, {
 *   name: 'restock',
 *   accepts: { count: Type.Integer({ minimum: 1 }) },
 *   handler: async (product, { count }) => void (await product.patchAttributes({ stock: product.stock + count }))
 * })
 * await app.register(rest)
 * const payload = { count: 2 }
 * console.log((await app.inject({ method: 'POST', url: '/Products/1/restock', payload })).statusCode) // 204
 * ```
 */
export function defineInstanceOperation<
  T extends object,
  F extends ModelFacts,
  Accepts extends TProperties = TProperties,
  Returns extends TSchema = TSchema
>(modelClass: ModelClass<T, F>, operation: InstanceOperation<T, Accepts, Returns, F>): void {
  // As above; the instance was loaded through this model.
  declareOperation(modelClass.modelType, true, operation, (args, context) =>
    operation.handler(context.instance as Instance<T, F>, args as Arguments<Accepts>, context)
  )
}
