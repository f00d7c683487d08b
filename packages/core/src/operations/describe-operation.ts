import type { Collection } from '../contract/connector.ts'
import { InvalidArgument } from '../errors.ts'
import type { ModelType } from '../contract/model-type.ts'
import type { Effect } from './effect.ts'
import { isOfRecords } from '../definition/method-table.ts'
import type { OperationContext } from './operation-context.ts'
import type { AccessType, Argument, Endpoint, HttpVerb, LoopbackText, Operation, ReturnValue } from './operation.ts'

/** The facts of an operation of a persisted model; everything else is derived from them. */
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

/** Arguments that many operations have. */
export const callArguments = {
  /** The argument `filter` with `where`, `fields` and so on. */
  filter: argument(
    'filter',
    'query',
    { kind: 'object' },
    { description: 'Filter: where, fields, include, order, skip, limit' }
  ),
  /** Only a `where`. */
  where: argument('where', 'query', { kind: 'object' }, { description: 'Criteria to match records' }),
  /** The argument for the caller, which clients cannot set. */
  options: argument('options', 'options', { kind: 'object' }),
  /** An argument in the body: a record, or changes to one. */
  data: ({ name: model }: ModelType, allowArray = false): Argument =>
    argument('data', 'body', { kind: 'object' }, { allowArray, description: `A ${model}`, model })
}

/** What many operations return. */
export const callReturns = {
  /** The whole body: one record, or several. */
  record(model: ModelType, several = false): ReturnValue {
    const type = { kind: 'model', model: model.name } as const
    return { name: 'data', root: true, type: several ? { kind: 'array', items: type } : type }
  },
  /** One named value, or the whole body as an object. */
  named: (name: string, kind: 'boolean' | 'number'): ReturnValue => ({ name, root: false, type: { kind } }),
  /** The whole body, an object. */
  root: (name: string): ReturnValue => ({ name, root: true, type: { kind: 'object' } })
}

/** The data of a call on one record. LB3: JSON null counts as no data there, pinned by FACTS "Create, update, delete". */
export function callData({ args }: OperationContext): unknown {
  if (args['data'] === null) throw new InvalidArgument('the body must be an object, not null')
  return args['data']
}
