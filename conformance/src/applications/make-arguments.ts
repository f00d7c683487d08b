import { accountOf, type Persona } from './accounts.ts'
import type { Application } from './application.ts'
import type { Argument, Operation } from './description.ts'
import { keyValue, makeRecord, type Material, valueOfType } from './make-record.ts'
import { nameOf, type OperationName, relationsOf, stageOf, targetOf } from './operation-name.ts'
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

/** A request to make the arguments of. */
interface Asked {
  readonly operation: Operation
  readonly variant: Variant
  readonly persona: Persona
}

interface Context extends Asked {
  readonly application: Application
  readonly material: Material
  readonly name: OperationName
}

const lastRecord = 100

const isDestroyed = ({ operation }: Context): boolean => stageOf(operation) === 'destroy'

/** Records that are destroyed are the last ones, so that those which others refer to stay. */
function recordId(context: Context, key: string): Pair | undefined {
  return knownRecord(context.material.records, key, isDestroyed(context) ? lastRecord : 0)?.id
}

/** Whether the account of the owner is meant; none but itself destroys it. */
function isOwnAccount({ material, name, ...context }: Context): boolean {
  if (material.description.models[name.model]?.isUser !== true || material.owner === undefined) return false
  return context.persona === 'owner' || !/^(?:delete|destroy)/.test(name.verb)
}

/** One of the records in turn where there is room for one related record only, else the first; for what destroys it, the last. */
function ownId(context: Context): unknown {
  const { material, name } = context
  const { records, description } = material
  if (isOwnAccount(context)) return material.owner
  const [relation] = relationsOf(description, name)
  if (relation === undefined) return recordId(context, name.model)
  const isOne = /^(?:hasOne|embedsOne)$/.test(relation.described.kind)
  const count = records.get(name.model)?.length ?? 1
  return knownRecord(records, name.model, isOne && name.verb === '__create__' ? material.next() % count : 0)?.id
}

/** A record that was created through the last relation of a route, or any of its model. */
function relatedId(context: Context, last: number): unknown {
  const { description, records } = context.material
  const relation = relationsOf(description, context.name).at(last)
  if (relation === undefined) return undefined
  return recordId(context, `${relation.of}.${relation.name}`) ?? knownRecord(records, relation.described.target)?.id
}

function fileName(argument: string): string | undefined {
  if (/container|bucket|folder/i.test(argument)) return 'conformance'
  return /^file(?:name)?$/i.test(argument) ? 'note.txt' : undefined
}

function pathValue(context: Context, { name, type }: Argument): unknown {
  const { material } = context
  if (material.description.models[context.name.model]?.isStorage === true) return fileName(name) ?? 'conformance'
  if (name === 'id') return ownId(context) ?? 1
  if (name === 'fk') return relatedId(context, -1) ?? 1
  if (name === 'nk') return relatedId(context, 0) ?? 1
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
    ([name]) =>
      /^(?:string|number|boolean|date)$/i.test(properties[name]?.type ?? '') &&
      !/id$|email|username|password/i.test(name)
  )
  return Object.fromEntries(plain.slice(0, 1))
}

const partial = /^(?:patch|update)(?:Attributes|All)$|^upsertWithWhere$|^__updateById__$|^__update__$/

/** The account of the owner keeps its address and password, so that the owner stays signed in. */
function replacement(context: Context, model: string): Record<string, unknown> {
  const { material, application, name } = context
  const account = isOwnAccount(context) && model === name.model ? accountOf('owner', application.credentials) : {}
  return {
    ...makeRecord(model, material, account),
    [material.description.models[model]?.idName ?? 'id']: ownId(context)
  }
}

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
  return /^replaceById$|^replaceAttributes$/.test(name.verb) ? replacement(context, model) : makeRecord(model, material)
}

/** Arguments that an operation accepts, with a filter or condition. */
export function makeArguments(application: Application, material: Material, asked: Asked): Arguments {
  const { operation } = asked
  const context = { ...asked, application, material, name: nameOf(operation) }
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
