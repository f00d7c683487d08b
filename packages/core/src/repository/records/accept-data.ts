import type { Client } from '../../caller/caller.ts'
import type { Row } from '../../contract/row.ts'
import { isReadOnly, type PropertyType, type ValueType } from '../../types/property-type.ts'
import { isPlainObject, setOwn } from '@modelwire/server'
import { compileCoercion } from '../../types/coerce-value.ts'
import { type Coercion, Unusable } from '../../values/unusable.ts'
import type { Call } from '../../contract/call.ts'
import { NameRefused, ValidationError } from '../../errors.ts'
import type { Restriction } from '../../contract/access-control.ts'
import { embeddedModel } from '../../model/embedded-model.ts'
import { isComposite } from '../../model/composite-key.ts'
import { keepPerModel } from '../../model/model-lineage.ts'
import type { ModelType } from '../../contract/model-type.ts'
import { withRelatedKeys } from '../../model/related-keys.ts'
import { toDetails } from '../../validation/validate-instance.ts'
import { idOf } from './identify.ts'

type NestedType = Extract<ValueType, { readonly kind: 'nested' }>

/** Where a value is stored, and the context of a client's write to it. */
export interface NestedPlace {
  /** Property names from the model's own on, joined by dots. */
  readonly path: string
  /** The stored value; undefined for a new one. */
  readonly stored: unknown
  readonly client: Client
  /** The value that a property takes from the caller; undefined if it takes none. */
  readonly callerValue: (property: PropertyType, client: Client) => unknown
  readonly refuse: (path: string, refusal: 'read-only' | 'write-once') => never
}

/** True if clients may not set some part of a plain object, or of the objects of a list. */
export function guardsValue(type: ValueType): boolean {
  if (type.kind === 'array') return type.items !== undefined && guardsValue(type.items)
  return type.kind === 'nested' && type.properties.some((part) => part.guard !== undefined || guardsValue(part.type))
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null

const coercions = new WeakMap<ValueType, Coercion>()

/** Models within have guards of their own; their values are compared as they are. */
function coercionOf(type: ValueType): Coercion {
  const coerce = coercions.get(type) ?? compileCoercion(type, { findModel: () => undefined })
  coercions.set(type, coerce)
  return coerce
}

/** A guarded part stays as it is stored; a new one comes from the caller, or is not there. */
function keptValue(part: PropertyType, stored: Row | undefined, { client, callerValue }: NestedPlace): unknown {
  return stored === undefined ? callerValue(part, client) : stored[part.name]
}

function acceptPart(part: PropertyType, value: unknown, stored: Row | undefined, place: NestedPlace): unknown {
  const path = `${place.path}.${part.name}`
  const mayBeSet = part.guard === 'writeOnce' && isAbsent(stored?.[part.name])
  if (part.guard === undefined || mayBeSet)
    return acceptNested(part.type, value, { ...place, path, stored: stored?.[part.name] })
  const kept = keptValue(part, stored, place)
  const namesKept = !isAbsent(kept) && String(kept) === String(value)
  if (value !== undefined && !namesKept && !isSameOnce(coercionOf(part.type), stored?.[part.name], value))
    place.refuse(path, isReadOnly(part) ? 'read-only' : 'write-once')
  return kept
}

function acceptObject(type: NestedType, value: Readonly<Row>, place: NestedPlace): Row {
  const stored = isPlainObject(place.stored) ? place.stored : undefined
  const guarded = type.properties.filter(({ guard, name }) => guard !== undefined && !Object.hasOwn(value, name))
  const accepted: Row = {}
  for (const [name, part] of Object.entries(value)) {
    const property = type.byName.get(name)
    const kept = property === undefined ? part : acceptPart(property, part, stored, place)
    if (kept !== undefined) setOwn(accepted, name, kept)
  }
  for (const property of guarded) {
    const kept = keptValue(property, stored, place)
    if (kept !== undefined) setOwn(accepted, property.name, kept)
  }
  return accepted
}

/**
 * A plain object from a client, or a list of them, without what it may not set: read-only parts keep their stored values.
 * Objects of a list replace those at the same index.
 */
export function acceptNested(type: ValueType, value: unknown, place: NestedPlace): unknown {
  if (!guardsValue(type)) return value
  if (type.kind === 'nested') return isPlainObject(value) ? acceptObject(type, value, place) : value
  if (type.kind !== 'array' || type.items === undefined || !Array.isArray(value)) return value
  const { items } = type
  const stored: readonly unknown[] = Array.isArray(place.stored) ? place.stored : []
  return value.map((item, at) => acceptNested(items, item, { ...place, stored: stored[at] }))
}

// What clients may set: properties that they may only read, that are written once, or whose values come from the caller,
// and those that an access rule keeps from them. Code of the application sets everything.

/** A client's write of data of one model. */
interface Acceptance {
  readonly model: ModelType
  readonly client: Client
  readonly restriction: Restriction | undefined
  readonly kind: WriteKind
  /** The stored record; undefined for a new one, and if many are written. */
  readonly stored: Readonly<Row> | undefined
}

/** The target of the data: a new record, parts of a stored one or the whole of it, or parts of each of many. */
export type WriteKind = 'new' | 'part' | 'whole' | 'each'

const messages = {
  'read-only': 'is read-only',
  'write-once': 'cannot be changed once it is set'
} as const

/** Why a client may not set a property; undefined if it may. */
type Refusal = keyof typeof messages | 'denied'

const callerValues: Readonly<Record<string, (client: Client) => unknown>> = {
  userId: ({ principal }) => principal?.userId,
  appId: ({ principal }) => principal?.appId,
  userModel: ({ principal }) => principal?.userModel
}

const readerOf = ({ guard }: PropertyType): ((client: Client) => unknown) | undefined =>
  guard === undefined ? undefined : callerValues[guard.slice('from:'.length)]

/** The value that a property takes from the caller; undefined where it takes none. */
const callerValue = (property: PropertyType, client: Client): unknown => readerOf(property)?.(client)

/** Looked up for every write: worked out once for the properties that a model has. */
const guards = keepPerModel<boolean>()

/** True where some property of a model, or of records that lie in it, is not for clients to set. */
const guardsData = (model: ModelType): boolean => guards(model.properties, model, () => findsGuard(model, []))

function findsGuard(model: ModelType, above: readonly ModelType[]): boolean {
  if (model.properties.some(({ guard, type }) => guard !== undefined || guardsValue(type))) return true
  if (model.embedded.size === 0 || above.includes(model)) return false
  return [...model.embedded.keys()].some((name) => {
    const inner = embeddedModel(model, name)
    return inner !== undefined && findsGuard(inner, [...above, model])
  })
}

/** The name means nothing to a strict model, which says so when it validates the record, to every caller alike. */
const isUnknown = (name: string, { strict, relations }: ModelType): boolean => strict && !relations.has(name)

function refusalOf(name: string, property: PropertyType | undefined, acceptance: Acceptance): Refusal | undefined {
  const { stored, restriction, kind } = acceptance
  if (property !== undefined && isReadOnly(property)) return 'read-only'
  if (property === undefined && isUnknown(name, acceptance.model)) return undefined
  if (property?.guard === 'writeOnce' && (kind === 'each' || (stored?.[name] ?? null) !== null)) return 'write-once'
  return restriction?.writable?.has(name) === false ? 'denied' : undefined
}

/** The client may see the stored value: sending it again reveals nothing, and changes nothing. */
function repeatsStored(name: string, value: unknown, { model, stored, restriction }: Acceptance): boolean {
  if (stored === undefined || model.hidden.has(name) || restriction?.readable?.has(name) === false) return false
  return isSameValue(model, name, stored[name], value)
}

function refuse(name: string, refusal: Refusal, { model, restriction }: Acceptance): never {
  if (refusal === 'denied' && restriction !== undefined)
    throw restriction.denyProperty(`this client may not set ${name} of ${model.name}`)
  const message = messages[refusal === 'denied' ? 'read-only' : refusal]
  throw new ValidationError(toDetails(model.name, [{ property: name, code: refusal, message }]))
}

/** The stored part that an embedded record replaces: the one with its id, or the only one. */
function storedPart(model: ModelType, part: Row, stored: unknown): Row | undefined {
  if (isPlainObject(stored)) return stored
  const id = idOf(model, part)
  if (!Array.isArray(stored) || id === undefined) return undefined
  return stored.filter(isPlainObject).find((item) => idOf(model, item) === id)
}

/** An embedded record is a new one, or replaces one that is stored. */
function partOf(inner: ModelType, part: Row, stored: unknown): Pick<Acceptance, 'kind' | 'stored'> {
  const current = storedPart(inner, part, stored)
  return { kind: current === undefined ? 'new' : 'whole', stored: current }
}

/** A value of plain objects without what the client may not set in it. */
function acceptPlain({ name, type }: PropertyType, value: unknown, acceptance: Acceptance): unknown {
  const { client, stored } = acceptance
  return acceptNested(type, value, {
    path: name,
    stored: stored?.[name],
    client,
    callerValue,
    refuse: (path, refusal) => refuse(path, refusal, acceptance)
  })
}

/** A value without what the client may not set of the records and plain objects in it. */
function acceptValue(name: string, value: unknown, acceptance: Acceptance): unknown {
  const property = acceptance.model.byName.get(name)
  const inner = embeddedModel(acceptance.model, name)
  if (inner === undefined) return property === undefined ? value : acceptPlain(property, value, acceptance)
  if (!guardsData(inner)) return value
  const stored: unknown = acceptance.stored?.[name]
  const acceptRecord = (part: unknown): unknown =>
    isPlainObject(part)
      ? accept(part, {
          ...acceptance,
          model: inner,
          restriction: undefined,
          ...partOf(inner, part, stored)
        })
      : part
  return Array.isArray(value) ? value.map(acceptRecord) : acceptRecord(value)
}

/** What the client leaves out of a whole record, and may not set, stays as it is stored. */
function keepUnset(accepted: Row, acceptance: Acceptance): void {
  const { model, stored = {} } = acceptance
  for (const [name, value] of Object.entries(stored)) {
    if (Object.hasOwn(accepted, name) || model.keyNames.includes(name)) continue
    if (refusalOf(name, model.byName.get(name), acceptance) !== undefined) setOwn(accepted, name, value)
  }
}

function accept(data: Readonly<Row>, acceptance: Acceptance): Row {
  const { model, client, kind } = acceptance
  const accepted: Row = {}
  const key = model.keyNames
  // A part means something besides, such as the tenant: only data that addresses a stored record may name any.
  const choosesParts = kind === 'new' && isComposite(model)
  for (const [name, value] of Object.entries(data)) {
    if (isMisread(model, name)) throw new NameRefused(`${JSON.stringify(name)} is not allowed as a name`)
    const isId = key.includes(name) && !choosesParts
    const refusal = isId || value === undefined ? undefined : refusalOf(name, model.byName.get(name), acceptance)
    if (refusal === undefined) setOwn(accepted, name, acceptValue(name, value, acceptance))
    else if (kind === 'whole' && model.byName.get(name)?.generated === true) continue
    else if (!repeatsStored(name, value, acceptance) && !isOwnValue(name, value, acceptance))
      refuse(name, refusal, acceptance)
  }
  if (kind === 'new') setFromCaller(accepted, model, client)
  if (kind === 'whole') keepUnset(accepted, acceptance)
  return accepted
}

/** True where the database may take an undeclared name for something else than a property. */
function misreadsNames(model: ModelType): boolean {
  const capabilities = model.dataSource?.connector.capabilities
  if (capabilities?.readsOperators === true) return true
  return (capabilities?.storedNames?.(model).size ?? 0) > 0
}

/** True for an operator, a path into a property, or the column of one: the database would act on it past everything that is looked at here. */
function isMisread(model: ModelType, name: string): boolean {
  if (model.byName.has(name)) return false
  const { readsOperators, storedNames } = model.dataSource?.connector.capabilities ?? {}
  if (readsOperators === true && (name.startsWith('$') || name.includes('.'))) return true
  return storedNames?.(model).has(name) === true
}

function setFromCaller(accepted: Row, model: ModelType, client: Client): void {
  for (const property of model.properties)
    if (readerOf(property) !== undefined)
      setOwn(accepted, property.name, callerValue(property, client) ?? (property.nullable ? null : undefined))
}

/** The client names himself, as the server will. */
function isOwnValue(name: string, value: unknown, { model, client, kind }: Acceptance): boolean {
  const property = model.byName.get(name)
  const own = property && callerValue(property, client)
  return kind === 'new' && own !== undefined && own !== null && String(own) === String(value)
}

/**
 * The data of a client's write without the properties that the client may not set; unchanged for application code, or if
 * the client is not restricted.
 * @param stored the record as it is, where one is changed: of a whole one, properties that are left out and not
 * settable by the client stay
 * @throws {ValidationError} it sets a read-only property to another value
 * @throws {NameRefused} the database would take a name for an operator, a path, or the column of another property
 * @throws the restriction's error for denied properties: an access rule denies the client a property
 */
export function acceptData(
  model: ModelType,
  data: Row,
  { call, restriction }: { readonly call: Call; readonly restriction: Restriction | undefined },
  kind: WriteKind,
  stored?: Readonly<Row>
): Row {
  const { client, isAccepted } = call
  if (client === undefined || isAccepted === true || !keepsSome(model, restriction)) return data
  const isWhole = kind === 'new' || kind === 'whole'
  return accept(isWhole ? withRelatedKeys(model, data) : data, { model, client, restriction, kind, stored })
}

/** True if a client's data must be checked. */
export const keepsSome = (model: ModelType, restriction: Restriction | undefined): boolean =>
  restriction?.writable !== undefined || guardsData(model) || misreadsNames(model)

/**
 * Denies a client's change of a property whose new value the server computes, such as the keys that a relation keeps in a
 * record.
 * @throws {ValidationError} the property is not for clients to set
 * @throws the restriction's error for denied properties: an access rule denies it to the client
 */
export function checkMaySet(
  model: ModelType,
  name: string,
  { call: { client }, restriction }: { readonly call: Call; readonly restriction: Restriction | undefined },
  stored: Readonly<Row>
): void {
  if (client === undefined) return
  const acceptance: Acceptance = { model, client, restriction, kind: 'part', stored }
  const refusal = refusalOf(name, model.byName.get(name), acceptance)
  if (refusal !== undefined) refuse(name, refusal, acceptance)
}

const asText = (value: unknown): string => JSON.stringify(value ?? null)

/** True where a value as sent, once it is converted, is the stored one. */
function isSameOnce(coerce: Coercion, stored: unknown, sent: unknown): boolean {
  if (sent === null || sent === undefined) return (stored ?? null) === null
  const coerced = coerce(sent)
  return !(coerced instanceof Unusable) && asText(coerced) === asText(stored)
}

/** True where a value as sent, once it has its property's type, is the stored one. */
function isSameValue(model: ModelType, name: string, stored: unknown, sent: unknown): boolean {
  const plan = model.plan.find((each) => each.name === name)
  return isSameOnce(plan?.coerce ?? ((value) => value), stored, sent)
}
