import type { AccessQuestion, RoleContext } from '@modelwire/acl'
import type { CallerId, Principal } from '@modelwire/core'
import { isOfModel, type Registry, type ModelType } from '@modelwire/core/plugin'
import { isFunction } from '../callback-bridge.ts'

/** A script's question about a principal, as in LoopBack's functions. */
export interface ScriptQuestion {
  readonly principal: Principal | undefined
  /** Roles that are principals themselves. */
  readonly heldRoles: readonly string[]
  /** Undefined for a question about no model. */
  readonly model: ModelType | undefined
  readonly modelId: unknown
  readonly method: string
  readonly accessType: AccessQuestion['accessType']
  readonly accessToken: unknown
}

/** One principal in a script's words. */
interface ScriptPrincipal {
  readonly type: string
  readonly id: unknown
}

type Facts = Readonly<Record<string, unknown>>

const factsOf = (value: unknown): Facts => (typeof value === 'object' && value !== null ? (value as Facts) : {}) // read key by key

/** The model that a script means by its class or its name. */
export function modelOf(registry: Registry, value: unknown): ModelType | undefined {
  const found: unknown = isFunction(value) ? Reflect.get(value, 'modelType') : registry.find(String(value))
  return found as ModelType | undefined // classes of models have their type
}

/** Principals in LoopBack's order. */
function principalsIn({ principals, principalType, principalId, accessToken }: Facts): readonly ScriptPrincipal[] {
  const list: readonly unknown[] = Array.isArray(principals) ? principals : []
  const token = factsOf(accessToken)
  const named = [
    ...list.map(factsOf).map(({ type, id }) => ({ type: String(type ?? 'USER'), id })),
    { type: String(principalType ?? 'USER'), id: principalId },
    { type: String(token['principalType'] ?? 'USER'), id: token['userId'] },
    { type: 'APP', id: token['appId'] }
  ]
  return named.filter(({ id }) => id !== undefined && id !== null)
}

/** LB3: users are of the type USER, or of a model that extends `User`. */
function isUserType(registry: Registry, type: string): boolean {
  const model = registry.find(type)
  return type === 'USER' || (model !== undefined && isOfModel(model, 'User'))
}

function principalOf(
  registry: Registry,
  list: readonly ScriptPrincipal[],
  { accessToken }: Facts
): Principal | undefined {
  const user = list.find(({ type }) => isUserType(registry, type))
  const app = list.find(({ type }) => type === 'APP')
  if (user === undefined && app === undefined) return undefined
  const { scopes } = factsOf(accessToken)
  return {
    userId: user?.id as CallerId | undefined, // an id of the script's own
    userModel: user === undefined || user.type === 'USER' ? undefined : user.type,
    appId: app?.id,
    scopes: Array.isArray(scopes) ? scopes.map(String) : undefined
  }
}

const accessTypes: ReadonlySet<unknown> = new Set(['READ', 'WRITE', 'EXECUTE', 'REPLICATE'])

/**
 * Reads a question of a script.
 * @see LoopBack 3: loopback, lib/access-context.js, AccessContext
 */
export function readQuestion(registry: Registry, value: unknown): ScriptQuestion {
  const facts = factsOf(value)
  const { model, id, modelId, property, accessType, accessToken } = facts
  const list = principalsIn(facts)
  return {
    principal: principalOf(registry, list, facts),
    heldRoles: list.filter(({ type }) => type === 'ROLE').map((role) => String(role.id)),
    model: model === undefined ? undefined : modelOf(registry, model),
    modelId: id ?? modelId,
    method: typeof property === 'string' && property !== '' ? property : '*',
    // The set holds nothing but access types.
    accessType: accessTypes.has(accessType) ? (accessType as AccessQuestion['accessType']) : '*',
    accessToken
  }
}

/** The question as resolvers of roles get it. @param otherwise the model of a question about none */
export function roleContextOf(question: ScriptQuestion, otherwise: ModelType): RoleContext {
  const { principal, model = otherwise, modelId, method, accessType, accessToken } = question
  return { principal, model, modelId, method, accessType, accessToken, record: undefined, call: undefined }
}
