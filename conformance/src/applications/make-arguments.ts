import { accountOf } from './accounts.ts'
import type { Application } from './application.ts'
import type { Argument, Operation } from './description.ts'
import { keyValue, makeRecord, type Material, valueOfType } from './make-record.ts'
import { nameOf, type OperationName, stageOf, targetOf } from './operation-name.ts'
import type { Pair } from './pair.ts'
import { knownRecord } from './records.ts'

/** The values of an operation's arguments by where they go. */
export interface Arguments {
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** A filter or a condition to send; `name` says what it asks. */
export interface Variant {
  readonly name: string
  readonly filter?: unknown
  readonly where?: unknown
}

interface Context {
  readonly application: Application
  readonly material: Material
  readonly operation: Operation
  readonly name: OperationName
  readonly variant: Variant
}

const lastRecord = 100

/** Records that are destroyed are the last ones, so that those which others refer to stay. */
function recordId({ material, operation }: Context, key: string): Pair | undefined {
  return knownRecord(material.records, key, stageOf(operation) === 'destroy' ? lastRecord : 0)?.id
}

function ownId(context: Context): unknown {
  const { material, name } = context
  const isUser = material.description.models[name.model]?.isUser === true
  if (isUser && material.owner !== undefined) return material.owner
  const parents = `${name.model}.${name.relation ?? ''}:parent`
  return knownRecord(material.records, parents)?.id ?? recordId(context, name.model)
}

function fileName(argument: string): string | undefined {
  if (/container|bucket|folder/i.test(argument)) return 'conformance'
  return /^file(?:name)?$/i.test(argument) ? 'note.txt' : undefined
}

function pathValue(context: Context, { name, type }: Argument): unknown {
  const { material } = context
  if (material.description.models[context.name.model]?.isStorage === true) return fileName(name) ?? 'conformance'
  if (name === 'id') return ownId(context) ?? 1
  if (name === 'fk') {
    const target = targetOf(material.description, context.name) ?? ''
    const related = `${context.name.model}.${context.name.relation ?? ''}`
    return recordId(context, related) ?? knownRecord(material.records, target)?.id ?? 1
  }
  return keyValue(name, undefined, material) ?? valueOfType(type, name, material) ?? 1
}

function accountValue({ application }: Context, argument: string): unknown {
  const account = accountOf('owner', application.credentials)
  if (/^(?:old)?password$/i.test(argument)) return account['password']
  if (/^newpassword$/i.test(argument)) return 'Secret-456'
  if (/^(?:email|username)$/i.test(argument)) return account[argument.toLowerCase()]
  return undefined
}

function freeValue(context: Context, argument: Argument): unknown {
  const { name, type, isList } = argument
  if (name === 'filter') return context.variant.filter
  if (name === 'where') return context.variant.where
  if (['include', 'redirect', 'options', 'lang'].includes(name) && !argument.required) return undefined
  const value =
    accountValue(context, name) ??
    fileName(name) ??
    keyValue(name, undefined, context.material) ??
    valueOfType(type, name, context.material)
  return isList ? [value] : value
}

function credentialsBody({ application }: Context): unknown {
  const account = accountOf('owner', application.credentials)
  const by = application.credentials.loginBy ?? 'email'
  return { [by]: account[by], password: account['password'] }
}

function patchBody(model: string, context: Context): unknown {
  const properties = context.material.description.models[model]?.properties ?? {}
  const record = makeRecord(model, context.material)
  const plain = Object.entries(record).filter(
    ([name]) => properties[name]?.type.toLowerCase() === 'string' && !/id$|email|username|password/i.test(name)
  )
  return Object.fromEntries(plain.slice(0, 1))
}

const partial = /^(?:patch|update)(?:Attributes|All)$|^upsertWithWhere$|^__updateById__$|^__update__$/

function bodyFor(context: Context, argument: Argument): unknown {
  const { name, material } = context
  if (name.verb === 'login') return credentialsBody(context)
  if (name.verb === 'resetPassword') return { email: accountOf('owner', context.application.credentials)['email'] }
  if (material.description.models[name.model]?.isStorage === true) return { name: `box-${material.next()}` }
  const target = targetOf(material.description, name) ?? name.model
  const isOfModel = material.description.models[argument.type] !== undefined || argument.type === 'object'
  if (!isOfModel) return freeValue(context, argument)
  if (partial.test(name.verb)) return patchBody(target, context)
  const model = material.description.models[argument.type] === undefined ? target : argument.type
  const idName = material.description.models[model]?.idName ?? 'id'
  const isReplacing = /^replaceById$|^replaceAttributes$/.test(name.verb)
  const record = makeRecord(model, material)
  return isReplacing ? { ...record, [idName]: ownId(context) } : record
}

/** Arguments that an operation accepts, with a filter or condition. */
export function makeArguments(
  application: Application,
  material: Material,
  operation: Operation,
  variant: Variant
): Arguments {
  const context = { application, material, operation, name: nameOf(operation), variant }
  const from = (source: string, make: (argument: Argument) => unknown): Record<string, unknown> =>
    Object.fromEntries(
      operation.args
        .filter((argument) => argument.source === source || (source === 'form' && argument.source === 'formData'))
        .map((argument): [string, unknown] => [argument.name, make(argument)])
        .filter(([, value]) => value !== undefined)
    )
  const whole = operation.args.find(({ source }) => source === 'body')
  const form = from('form', (argument) => freeValue(context, argument))
  const body = whole === undefined ? form : bodyFor(context, whole)
  return {
    path: from('path', (argument) => pathValue(context, argument)),
    query: from('query', (argument) => freeValue(context, argument)),
    headers: from('header', (argument) => freeValue(context, argument)),
    ...((whole !== undefined || Object.keys(form).length > 0) && operation.verb !== 'get' && { body })
  }
}
