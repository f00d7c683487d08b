import type { Collection } from '../contract/connector.ts'
import { InvalidArgument } from '../errors.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Effect } from './effect.ts'
import { isOfRecords } from '../definition/method-name.ts'
import type { OperationContext } from './operation-context.ts'
import { type PredefinedName, predefinedMethods } from './predefined.ts'
import type { AccessType, Argument, Endpoint, HttpVerb, LoopbackText, Operation, ReturnValue } from './operation.ts'

/** The facts of an operation of a persisted model; everything else follows from them. */
export interface OperationFacts {
  readonly name: string
  readonly aliases?: readonly string[]
  readonly accepts: readonly Argument[]
  readonly returns: ReturnValue
  readonly endpoints: readonly (readonly [HttpVerb, string])[]
  readonly accessType: AccessType
  readonly description: string
  readonly effect: Effect
  readonly sharedByDefault?: boolean
  readonly needs?: readonly (keyof Collection)[]
  readonly loopbackText?: LoopbackText
  readonly invoke: (context: OperationContext) => unknown
  readonly foundNothing?: (context: OperationContext) => boolean
  readonly loadInstance?: (context: OperationContext) => Promise<object | undefined>
  readonly invokeById?: (context: OperationContext) => unknown
}

/** Makes a predefined operation for one model. */
export type MakeOperation = (model: ModelType) => Operation

/** Completes the facts to an operation of `model`. */
export function describeOperation(model: ModelType, facts: OperationFacts): Operation {
  return {
    aliases: [],
    status: undefined,
    errorStatus: undefined,
    documented: true,
    ...facts,
    model,
    onInstance: isOfRecords(facts.name),
    returns: [facts.returns],
    endpoints: facts.endpoints.map(([verb, path]): Endpoint => ({ verb, path }))
  }
}

/** Completes the facts to a predefined operation of `model`: its other names and what it does are fixed. */
export function describePredefined(
  model: ModelType,
  name: PredefinedName,
  facts: Omit<OperationFacts, 'name' | 'aliases' | 'effect' | 'accessType'>
): Operation {
  return describeOperation(model, { ...facts, ...predefinedMethods[name], name })
}

/** An argument that may be absent. */
export const argument = (
  name: string,
  source: Argument['source'],
  type: Argument['type'],
  more: Partial<Argument> = {}
): Argument => ({
  name,
  source,
  type,
  required: false,
  allowArray: false,
  ...more
})

/** The id in the path. */
export const idArgument: Argument = argument(
  'id',
  'path',
  { kind: 'any' },
  { required: true, isId: true, description: 'Model id' }
)

/** `filter` with `where`, `fields` and all else. */
export const filterArgument: Argument = argument(
  'filter',
  'query',
  { kind: 'object' },
  { description: 'Filter: where, fields, include, order, skip, limit' }
)

/** `where` alone. */
export const whereArgument: Argument = argument(
  'where',
  'query',
  { kind: 'object' },
  { description: 'Criteria to match records' }
)

/** The caller, which clients cannot set. */
export const optionsArgument: Argument = argument('options', 'options', { kind: 'object' })

/** A record, or what to change of one, in the body. */
export function dataArgument(model: ModelType, allowArray = false): Argument {
  return argument('data', 'body', { kind: 'object' }, { allowArray, description: `A ${model.name}`, model: model.name })
}

/** The whole body: a record, or several. */
export function recordReturn(model: ModelType, several = false): ReturnValue {
  const type = { kind: 'model', model: model.name } as const
  return { name: 'data', root: true, type: several ? { kind: 'array', items: type } : type }
}

/** One named value, or the whole body as an object. */
export const namedReturn = (name: string, kind: 'boolean' | 'number'): ReturnValue => ({
  name,
  root: false,
  type: { kind }
})

/** The whole body, an object. */
export const rootReturn = (name: string): ReturnValue => ({ name, root: true, type: { kind: 'object' } })

/** The data of a call on one record. LB3: JSON null is no data there, pinned by FACTS "Create, update, delete". */
export function callData({ args }: OperationContext): unknown {
  if (args['data'] === null) throw new InvalidArgument('the body must be an object, not null')
  return args['data']
}
