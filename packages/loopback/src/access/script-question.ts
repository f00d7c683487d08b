import type { AccessQuestion, RoleContext } from '@modelwire/acl'
import type { CallerId, Principal } from '@modelwire/core'
import { isOfModel, typeOfClass, type Registry } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'
import { callBridged, type ScriptFunction } from '../callback-bridge.ts'
import { type Facts, factsOf } from '../script-members.ts'

/** A script's access check for a principal, as in LoopBack's functions. */
export interface ScriptQuestion {
  readonly principal: Principal | undefined
  /** Roles that are principals themselves. */
  readonly heldRoles: readonly string[]
  /** Undefined for a check without a model. */
  readonly model: ModelType | undefined
  readonly modelId: unknown
  readonly method: string
  readonly accessType: AccessQuestion['accessType']
  readonly accessToken: unknown
}

/** One principal in a script's terms. */
interface ScriptPrincipal {
  readonly type: string
  readonly id: unknown
}

/** The model that a script refers to by its class or its name. */
export function modelOf(registry: Registry, value: unknown): ModelType | undefined {
  return typeof value === 'function' ? typeOfClass(value) : registry.find(String(value))
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
 * Reads the arguments of a script's check.
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

/**
 * The argument of role resolvers for a check.
 * @param otherwise the model of a question about none
 */
export function roleContextOf(question: ScriptQuestion, otherwise: ModelType): RoleContext {
  const { principal, model = otherwise, modelId, method, accessType, accessToken } = question
  return { principal, model, modelId, method, accessType, accessToken, record: undefined, call: undefined }
}

/** Calls a function that may be a script's, with a callback appended; returns what it calls back with or returns. */
export async function callScript(fn: ScriptFunction, self: unknown, args: readonly unknown[]): Promise<unknown> {
  const outcome = await callBridged(fn, self, args)
  return 'value' in outcome ? outcome.value : outcome.results[0]
}
