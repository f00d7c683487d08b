import { checkProblem } from '../rules/model-checks.ts'
import type { Client } from '../caller/caller.ts'
import type { Row } from '../contract/row.ts'
import { unlessRefused, isPlainObject } from '@modelwire/server'
import { DuplicateKey, ListNotValid, ValidationError, type ValidationDetails } from '../errors.ts'
import { BareModel, typeOf } from '../contract/model-instance.ts'
import type { ModelType } from '../contract/model-type.ts'
import { isAbsentId, storedRow, toId } from '../repository/records/identify.ts'
import { relatedIdOf } from './effect.ts'
import { namedRecordOf } from './named-record.ts'
import type { OperationContext } from './operation-context.ts'

// Validation errors reveal values, and a client may not be allowed to read all of them. Errors of writes only state
// that such a property is invalid: the client knows what it sent, but not what is stored or computed.

/** A failed call of a client, and the model that the error concerns. */
interface Failure {
  readonly context: OperationContext
  readonly client: Client
  readonly model: ModelType
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as readonly unknown[]) : [value]) // a list of anything

/** The names of what the client sent: arguments, and the properties of those that are records. */
function sentNames({ args }: OperationContext): ReadonlySet<string> {
  const records = Object.values(args).flatMap(listOf).filter(isPlainObject)
  return new Set([...Object.keys(args), ...records.flatMap((record) => Object.keys(record))])
}

/** The id of the record of this model that a call is about; undefined where it names none. */
function idIn({ context, model }: Failure): unknown {
  const { relation } = context.operation.effect
  if (relation === undefined)
    return model === context.operation.model ? namedRecordOf(context.operation, context).id : undefined
  return relation.to === model && !relation.embeds ? relatedIdOf(context) : undefined
}

/**
 * The record that the error is about, as it is stored; undefined where it is a new one, or the call does not name it.
 */
async function rowOf(failure: Failure): Promise<Row | undefined> {
  const { context, model } = failure
  const { instance } = context
  if (instance instanceof BareModel && typeOf(instance) === model) return instance
  const id = idIn(failure)
  const key = isAbsentId(id) ? undefined : toId(model, id)
  return key === undefined ? undefined : storedRow(model, key)
}

/** Its values are those that the client sent, and defaults: nothing is stored. */
function isNew({ context: { operation }, model }: Failure, row: Row | undefined): boolean {
  const { verb, idIn: place, relation } = operation.effect
  const isSubject = (relation === undefined ? operation.model : relation.to) === model
  return row === undefined && isSubject && (verb === 'create' || (verb === 'upsert' && place === 'body'))
}

type IsReadable = (property: string) => boolean

/** Of a model whose lists are not the client's to read. */
const nothing = { readable: new Set<string>() }

/** What the client reads of lists; undefined: everything. */
async function readableInLists({ client, model }: Failure): Promise<ReadonlySet<string> | undefined> {
  const question = { client, model, method: 'find', purpose: 'operation' } as const
  const restriction = await unlessRefused(() => model.registry.accessControl?.restrict(question), nothing)
  return restriction?.readable
}

async function readableByRules(failure: Failure, row: Row | undefined): Promise<IsReadable> {
  const { client, model } = failure
  const { accessControl } = model.registry
  if (accessControl === undefined) return () => true
  const readable =
    row === undefined
      ? await readableInLists(failure)
      : await accessControl.shownAfter({ client, model }, () => row, [])
  return (property) => readable?.has(property) !== false || model.keyNames.includes(property)
}

/** Records within others do not show what is protected. */
const showsProtected = ({ context: { operation }, model }: Failure): boolean =>
  operation.effect.relation?.embeds !== true || operation.model === model

async function readableIn(failure: Failure, row: Row | undefined): Promise<IsReadable> {
  const { model } = failure
  const byRules = await readableByRules(failure, row)
  const mayBeProtected = showsProtected(failure)
  return (property) =>
    !model.hidden.has(property) && (mayBeProtected || !model.protected.has(property)) && byRules(property)
}

function concealDetails(details: ValidationDetails, isShown: IsReadable): ValidationDetails {
  const { context, codes, messages } = details
  const map = (texts: Record<string, string[]>, text: string): Record<string, string[]> =>
    Object.fromEntries(Object.entries(texts).map(([name, list]) => [name, isShown(name) ? list : [text]]))
  return { context, codes: map(codes, 'invalid'), messages: map(messages, 'is invalid') }
}

async function concealInvalid(error: ValidationError, failure: Failure): Promise<ValidationError> {
  const row = await rowOf(failure)
  if (isNew(failure, row)) return error
  const isReadable = await readableIn(failure, row)
  const sent = sentNames(failure.context)
  const isKnown: IsReadable = (name) => sent.has(name) || isReadable(name)
  // What a check says names all of its properties.
  const told = failure.model.checks.filter(({ properties }) => !properties.every(isKnown))
  const isShown: IsReadable = (name) =>
    isKnown(name) && !told.some((check) => error.details.codes[name]?.includes(checkProblem(check).code) === true)
  return Object.keys(error.details.codes).every(isShown)
    ? error
    : new ValidationError(concealDetails(error.details, isShown))
}

async function concealDuplicate(error: DuplicateKey, failure: Failure): Promise<DuplicateKey> {
  const isReadable = await readableIn(failure, await rowOf(failure))
  return error.details.properties.every(isReadable) ? error : new DuplicateKey(error.model, error.details)
}

async function concealList(error: ListNotValid, context: OperationContext): Promise<ListNotValid> {
  const details: (Error | null)[] = []
  for (const item of error.details) {
    const concealed = await concealError(item, context)
    details.push(concealed instanceof Error ? concealed : null)
  }
  return details.every((item, at) => item === error.details[at]) ? error : new ListNotValid(details)
}

/** The error of a call as a client may see it. */
export async function concealError(error: unknown, context: OperationContext): Promise<unknown> {
  const { client, operation } = context
  if (client === undefined) return error
  if (error instanceof ListNotValid) return concealList(error, context)
  const find = (name: string): ModelType | undefined => operation.model.registry.find(name)
  if (error instanceof ValidationError) {
    const model = find(error.details.context)
    return model === undefined ? error : concealInvalid(error, { context, client, model })
  }
  const model = error instanceof DuplicateKey ? find(error.model) : undefined
  return error instanceof DuplicateKey && model !== undefined
    ? concealDuplicate(error, { context, client, model })
    : error
}
