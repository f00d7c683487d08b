import type { Call } from '../contract/call.ts'
import type { Client } from '../caller/client.ts'
import type { Row } from '../contract/row.ts'
import { NameRefused, ValidationError } from '../errors.ts'
import type { Restriction } from '../contract/restriction.ts'
import { embeddedModel } from '../model/embedded-model.ts'
import { keepPerModel } from '../model/keep-per-model.ts'
import type { ModelType } from '../contract/model-type.ts'
import { isReadOnly, type PropertyType } from '../types/property-type.ts'
import { withRelatedKeys } from '../model/related-keys.ts'
import { toDetails } from '../validation/validate-instance.ts'
import { isPlainObject, setOwn } from '../values/clone-plain.ts'
import { acceptNested, guardsValue } from './accept-nested.ts'
import { isSameValue } from './is-same-value.ts'

// What clients may set: properties that are theirs alone to read, that are written once, or whose values come from the caller,
// and those that an access rule keeps from them. Code of the application sets everything.

/** A client's write of data of one model. */
interface Acceptance {
  readonly model: ModelType
  readonly client: Client
  readonly restriction: Restriction | undefined
  readonly kind: WriteKind
  /** The record as it is stored; undefined for a new one, and where many are written. */
  readonly stored: Readonly<Row> | undefined
}

/** What the data becomes: a new record, parts of a stored one or the whole of it, or parts of each of many. */
export type WriteKind = 'new' | 'part' | 'whole' | 'each'

const messages = {
  'read-only': 'is read-only',
  'write-once': 'cannot be changed once it is set'
} as const

/** Why a client may not set a property; undefined where it may. */
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
function storedPart({ idProperty }: ModelType, part: Row, stored: unknown): Row | undefined {
  if (isPlainObject(stored)) return stored
  if (!Array.isArray(stored) || idProperty === undefined) return undefined
  const id = part[idProperty.name]
  if (id === undefined) return undefined
  return stored.filter(isPlainObject).find((item) => item[idProperty.name] === id)
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
  const acceptPart = (part: unknown): unknown =>
    isPlainObject(part)
      ? accept(part, {
          ...acceptance,
          model: inner,
          restriction: undefined,
          ...partOf(inner, part, stored)
        })
      : part
  return Array.isArray(value) ? value.map(acceptPart) : acceptPart(value)
}

/** What the client leaves out of a whole record, and may not set, stays as it is stored. */
function keepUnset(accepted: Row, acceptance: Acceptance): void {
  const { model, stored = {} } = acceptance
  for (const [name, value] of Object.entries(stored)) {
    if (Object.hasOwn(accepted, name) || name === model.idProperty?.name) continue
    if (refusalOf(name, model.byName.get(name), acceptance) !== undefined) setOwn(accepted, name, value)
  }
}

function accept(data: Readonly<Row>, acceptance: Acceptance): Row {
  const { model, client, kind } = acceptance
  const accepted: Row = {}
  for (const [name, value] of Object.entries(data)) {
    if (isMisread(model, name)) throw new NameRefused(`${JSON.stringify(name)} is not allowed as a name`)
    const isId = name === model.idProperty?.name
    const refusal = isId || value === undefined ? undefined : refusalOf(name, model.byName.get(name), acceptance)
    if (refusal === undefined) setOwn(accepted, name, acceptValue(name, value, acceptance))
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
    if (readerOf(property) !== undefined) setOwn(accepted, property.name, callerValue(property, client) ?? null)
}

/** The client names himself, as the server will. */
function isOwnValue(name: string, value: unknown, { model, client, kind }: Acceptance): boolean {
  const property = model.byName.get(name)
  const own = property && callerValue(property, client)
  return kind === 'new' && own !== undefined && own !== null && String(own) === String(value)
}

/**
 * The data of a client's write without the properties that the client may not set; unchanged where code of the
 * application writes, or the client is not restricted.
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

/** True where a client's data has to be looked at. */
export const keepsSome = (model: ModelType, restriction: Restriction | undefined): boolean =>
  restriction?.writable !== undefined || guardsData(model) || misreadsNames(model)

/**
 * Refuses a client's change of a property whose new value the server works out, such as the keys that a relation keeps
 * in a record.
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
