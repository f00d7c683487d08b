import { dateOf, type PlainRecord, textOf, textsOf } from './records.ts'

/** The facts of a token, code or refresh token. Times are Dates; lifetimes are in seconds. */
export interface GrantFacts {
  readonly clientId: string
  readonly userId?: unknown
  readonly scopes: readonly string[]
  readonly resources?: readonly string[]
  /** The `grant_type` of the original request. */
  readonly grantType: string
  readonly issuedAt: Date
  readonly expiresAt: Date
  /** Everything from one authorization has one family and is revoked together. */
  readonly family?: string
  /** OpenID Connect: the `nonce` of the authorization request. */
  readonly nonce?: string
  /** When the user logged in. */
  readonly authTime?: Date
}

/** One of the `parameters` of a stored token or code. */
interface Parameter {
  readonly name: string
  readonly value: string
}

/** Further strings that are stored with a token or code, by name. */
export type Extras = Readonly<Record<string, string | readonly string[] | undefined>>

/** The `parameters` column: a list of names and values, as in LoopBack's component. */
export function toParameters(facts: GrantFacts, extras: Extras = {}): readonly Parameter[] {
  const parameters: Parameter[] = []
  const add = (name: string, value: Extras[string]): void => {
    if (typeof value === 'string') parameters.push({ name, value })
    else for (const text of value ?? []) parameters.push({ name, value: text })
  }
  add('grant_type', facts.grantType)
  add('resource', facts.resources)
  add('nonce', facts.nonce)
  add('auth_time', facts.authTime?.toISOString())
  for (const [name, value] of Object.entries(extras)) add(name, value)
  return parameters
}

const isParameter = (item: unknown): item is Parameter =>
  typeof item === 'object' && item !== null && 'name' in item && 'value' in item && typeof item.value === 'string'

/** The values stored under a name. */
export function parametersOf(record: PlainRecord, name: string): readonly string[] {
  const list: unknown = record['parameters']
  if (!Array.isArray(list)) return []
  return list.filter((item) => isParameter(item) && item.name === name).map((item: Parameter) => item.value)
}

/** The value stored under a name. */
export function parameterOf(record: PlainRecord, name: string): string | undefined {
  return parametersOf(record, name)[0]
}

/** When a token or code ends: `expiredAt`, or what `issuedAt` and `expiresIn` (seconds) make. */
function endOf(record: PlainRecord): Date {
  const issued = dateOf(record, 'issuedAt')?.getTime() ?? 0
  return dateOf(record, 'expiredAt') ?? new Date(issued + Number(record['expiresIn'] ?? 0) * 1000)
}

/** The facts of a stored token or code. */
export function factsOf(record: PlainRecord): GrantFacts {
  const resources = parametersOf(record, 'resource')
  const authTime = dateOf({ value: parameterOf(record, 'auth_time') }, 'value')
  const family = textOf(record, 'authorizationCode')
  const nonce = parameterOf(record, 'nonce')
  const userId = record['userId'] ?? undefined
  return {
    clientId: String(record['appId'] ?? ''),
    scopes: textsOf(record, 'scopes'),
    grantType: parameterOf(record, 'grant_type') ?? '',
    issuedAt: dateOf(record, 'issuedAt') ?? new Date(0),
    expiresAt: endOf(record),
    ...(userId === undefined ? {} : { userId }),
    ...(resources.length === 0 ? {} : { resources }),
    ...(family === undefined ? {} : { family }),
    ...(nonce === undefined ? {} : { nonce }),
    ...(authTime === undefined ? {} : { authTime })
  }
}

/** The columns of a token or code. */
export function toColumns(facts: GrantFacts): PlainRecord {
  const { clientId, userId, scopes, issuedAt, expiresAt } = facts
  return {
    appId: clientId,
    ...(userId === undefined ? {} : { userId }),
    issuedAt,
    expiresIn: Math.round((expiresAt.getTime() - issuedAt.getTime()) / 1000),
    expiredAt: expiresAt,
    scopes: [...scopes]
  }
}
