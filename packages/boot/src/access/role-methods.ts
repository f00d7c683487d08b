import { ScriptArgumentInvalid } from '@modelwire/loopback-express'
import { type Access, type RoleContext } from '@modelwire/acl'
import type { CallerId, Model, ModelRegistry } from '@modelwire/core'
import { modelByType, type ModelType, repository, serverCall, type Registry } from '@modelwire/core/plugin'
import { acceptCallback, isFunction, type ScriptFunction } from '../callback-bridge.ts'
import { addMembers } from './add-members.ts'
import { callScript } from './call-script.ts'
import { modelOf, readQuestion, roleContextOf, type ScriptQuestion } from './script-question.ts'

const roleNames = {
  OWNER: '$owner',
  RELATED: '$related',
  AUTHENTICATED: '$authenticated',
  UNAUTHENTICATED: '$unauthenticated',
  EVERYONE: '$everyone'
}

/** The context of role resolvers in LoopBack's form. */
function scriptContext(context: RoleContext): object {
  const { principal, model, modelId, method, accessType, accessToken, call } = context
  const { userId, appId, userModel = 'USER' } = principal ?? {}
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
    principals: [
      ...(userId === undefined ? [] : [{ type: userModel, id: userId }]),
      ...(appId === undefined ? [] : [{ type: 'APP', id: appId }])
    ],
    isAuthenticated: () => userId !== undefined || appId !== undefined,
    getUserId: () => userId,
    getUser: () => (userId === undefined ? undefined : { id: userId, principalType: userModel }),
    getAppId: () => appId ?? null
  }
}

async function isInRole(access: Access, roles: ModelType, role: string, question: ScriptQuestion): Promise<boolean> {
  const isResolved = access.resolvedRoles().includes(role)
  if (!isResolved && question.heldRoles.includes(role)) return true
  const { userId, userModel } = question.principal ?? {}
  const isUnnamed = userId !== undefined && userModel === undefined
  if (role === roleNames.OWNER && isUnnamed && isOfSeveralModels(roles.registry)) return false
  return access.isInRole(role, roleContextOf(question, roles))
}

/** The types of a principal as role mappings name them. */
function mappedAs({ principal }: ScriptQuestion): readonly { principalType: string; principalId: string }[] {
  const { userId, userModel = 'USER', appId } = principal ?? {}
  const user = userId === undefined ? [] : [{ principalType: userModel, principalId: String(userId) }]
  return appId === undefined ? user : [...user, { principalType: 'APP', principalId: String(appId) }]
}

/** The roles of stored mappings: their ids, or their names. */
async function mappedRoles(roles: ModelType, question: ScriptQuestion, wantsNames: boolean): Promise<unknown[]> {
  const mappings = modelByType(roles.registry, 'RoleMapping')
  const who = mappedAs(question)
  if (mappings?.collection === undefined || who.length === 0) return []
  const found = await repository.find(mappings, { where: { or: who } }, serverCall())
  const ids = found.map((mapping) => mapping['roleId'])
  if (!wantsNames) return ids
  const named = await repository.find(
    roles,
    { where: { [roles.idProperty?.name ?? 'id']: { inq: ids } } },
    serverCall()
  )
  return named.map((role) => role['name'])
}

/** All roles of a principal: those that functions resolve by name, stored ones by id unless names are wanted. */
async function getRoles(access: Access, roles: ModelType, context: unknown, options: unknown): Promise<unknown[]> {
  const question = readQuestion(roles.registry, context)
  const names = access.resolvedRoles()
  const answers = await Promise.all(names.map((name) => isInRole(access, roles, name, question)))
  const wantsNames =
    typeof options === 'object' && options !== null && Reflect.get(options, 'returnOnlyRoleNames') === true
  const mapped = await mappedRoles(roles, question, wantsNames)
  return [...new Set([...question.heldRoles, ...names.filter((_, at) => answers[at]), ...mapped])]
}

/** Where tokens belong to users of several models, a user without the name of the model owns nothing. */
function isOfSeveralModels(registry: Registry): boolean {
  return modelByType(registry, 'User')?.relations.get('accessTokens')?.discriminator !== undefined
}

async function isOwner(access: Access, roles: ModelType, args: readonly unknown[]): Promise<boolean> {
  const [model, id, userId, principalType] = args
  const { registry } = roles
  const found = modelOf(registry, model)
  const userModel = typeof principalType === 'string' && principalType !== 'USER' ? principalType : undefined
  if (found === undefined || !userId || isOfSeveralModels(registry) !== (userModel !== undefined)) return false
  // An id of the script's own.
  return access.isOwner({ userId: userId as CallerId, userModel }, found.name, id)
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
    getRoles: acceptCallback((context, options) => getRoles(access, roles, context, options)),
    isInRole: acceptCallback((role, context) =>
      isInRole(access, roles, String(role), readQuestion(roles.registry, context))
    ),
    isOwner: acceptCallback((...args) => isOwner(access, roles, args)),
    isAuthenticated: acceptCallback((context) =>
      isInRole(access, roles, roleNames.AUTHENTICATED, readQuestion(roles.registry, context))
    )
  }
}

/** The records of the principals that are in a role. */
async function principalsOf(
  role: Model,
  roles: ModelType,
  name: string,
  type: string,
  query: unknown
): Promise<Model[]> {
  const { registry } = roles
  const mappings = modelByType(registry, 'RoleMapping')
  const conditions = typeof query === 'object' && query !== null ? (query as Readonly<Record<string, unknown>>) : {} // read key by key
  const { principalType = type, ...where } = Object(conditions['where']) as Readonly<Record<string, unknown>> // as above
  const model = principalType === type ? modelByType(registry, name) : registry.find(String(principalType))
  if (mappings?.collection === undefined || model?.collection === undefined) return []
  const mine = { roleId: repository.idOf(roles, role), principalType }
  const ids = (await repository.find(mappings, { where: mine }, serverCall())).map((mapping) => mapping['principalId'])
  const idName = model.idProperty?.name ?? 'id'
  return repository.find(model, { ...conditions, where: { ...where, [idName]: { inq: ids } } }, serverCall())
}

function addPrincipalLists(roles: ModelType): void {
  const lists = { users: ['User', 'USER'], applications: ['Application', 'APP'], roles: [roles.name, 'ROLE'] } as const
  for (const [list, [name, type]] of Object.entries(lists)) {
    if (Object.hasOwn(roles.modelClass.prototype, list)) continue
    const value = acceptCallback(async function (this: unknown, query) {
      return principalsOf(this as Model, roles, name, type, query) // called on a record
    })
    Object.defineProperty(roles.modelClass.prototype, list, { value, writable: true, configurable: true })
  }
}

/** Gives `Role` what scripts use of it besides data access. */
export function addRoleMethods(registry: ModelRegistry, access: Access): void {
  const roles = registry.find('Role')
  if (roles === undefined) return
  addMembers(roles, { ...roleNames, ...resolverMethods(access, roles) })
  addPrincipalLists(roles)
}
