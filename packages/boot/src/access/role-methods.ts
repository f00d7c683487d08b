import type { Access, RoleContext } from '@modelwire/acl'
import type { ModelRegistry, ModelType } from '@modelwire/core'
import { acceptCallback, isFunction, type ScriptFunction } from '../callback-bridge.ts'
import { ScriptArgumentInvalid } from '../errors.ts'
import { callScript } from './call-script.ts'

const roleNames = {
  OWNER: '$owner',
  RELATED: '$related',
  AUTHENTICATED: '$authenticated',
  UNAUTHENTICATED: '$unauthenticated',
  EVERYONE: '$everyone'
}
const principalTypes = { USER: 'USER', APP: 'APP', APPLICATION: 'APP', ROLE: 'ROLE', SCOPE: 'SCOPE' }
const ruleNames = {
  ALL: '*',
  DEFAULT: 'DEFAULT',
  ALLOW: 'ALLOW',
  ALARM: 'ALARM',
  AUDIT: 'AUDIT',
  DENY: 'DENY',
  READ: 'READ',
  REPLICATE: 'REPLICATE',
  WRITE: 'WRITE',
  EXECUTE: 'EXECUTE',
  ...principalTypes
}

/** What LoopBack hands to resolvers of roles. */
function scriptContext(context: RoleContext): object {
  const { principal, model, modelId, method, accessType, accessToken, call } = context
  return {
    accessToken: accessToken ?? {},
    model: model.modelClass,
    modelName: model.name,
    modelId,
    id: modelId,
    property: method,
    method,
    accessType,
    remotingContext: call,
    principals: [],
    isAuthenticated: () => principal?.userId !== undefined,
    getUserId: () => principal?.userId
  }
}

/** A question of a script about somebody, in LoopBack's words. */
function readContext(given: unknown, roles: ModelType): RoleContext {
  const facts = typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {} // read key by key
  const { principalType, principalId, accessToken, modelId, model } = facts
  const token = typeof accessToken === 'object' && accessToken !== null ? (accessToken as Record<string, unknown>) : {} // as above
  const userId = principalType === 'APP' ? undefined : (principalId ?? token['userId'])
  const asked: unknown = isFunction(model) ? Reflect.get(model, 'modelType') : roles.registry.find(String(model))
  return {
    principal:
      userId === undefined && principalId === undefined
        ? undefined
        : { userId, appId: principalType === 'APP' ? principalId : undefined },
    model: (asked ?? roles) as ModelType, // classes of models have their type
    modelId,
    record: undefined,
    method: '*',
    accessType: '*',
    accessToken,
    call: undefined
  }
}

function addTo(model: ModelType | undefined, members: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(members))
    if (model !== undefined)
      Object.defineProperty(model.modelClass, name, { value, writable: true, configurable: true })
}

function resolverMethods(access: Access, roles: ModelType): Readonly<Record<string, ScriptFunction>> {
  return {
    registerResolver: (role, resolver) => {
      if (!isFunction(resolver))
        throw new ScriptArgumentInvalid('registerResolver needs a function', { model: roles.name })
      access.registerRole(String(role), async (context, name) =>
        Boolean(await callScript(resolver, roles.modelClass, [name, scriptContext(context)]))
      )
    },
    isInRole: acceptCallback(async (role, context) => access.isInRole(String(role), readContext(context, roles))),
    isOwner: acceptCallback(async (model, id, userId) => {
      const name = isFunction(model) ? String(Reflect.get(model, 'modelName')) : String(model)
      return access.isOwner({ userId }, name, id)
    })
  }
}

/** Gives `Role`, `RoleMapping` and `ACL` what scripts use of them besides data access. */
export function addRoleMethods(registry: ModelRegistry, access: Access): void {
  const roles = registry.find('Role')
  addTo(registry.find('RoleMapping'), principalTypes)
  addTo(registry.find('ACL'), ruleNames)
  if (roles !== undefined) addTo(roles, { ...roleNames, ...resolverMethods(access, roles) })
}
