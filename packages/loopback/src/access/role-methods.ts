import { ScriptArgumentInvalid } from '../errors.ts'
import { isFunction } from '../callback-bridge.ts'
import { factsOf, installMembers, type MemberRow } from '../script-members.ts'
import { callScript, modelOf, readQuestion, roleContextOf, type ScriptQuestion } from './script-question.ts'
import type { Access, RoleContext } from '@modelwire/acl'
import type { CallerId, Model, ModelRegistry } from '@modelwire/core'
import { modelByType, type Registry, repository, serverCall } from '@modelwire/core/plugin'
import type { ModelType } from '@modelwire/core/connector'

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
  const wantsNames = factsOf(options)['returnOnlyRoleNames'] === true
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

function resolverRows(access: Access, roles: ModelType): readonly MemberRow<unknown>[] {
  const read = (context: unknown): ScriptQuestion => readQuestion(roles.registry, context)
  const registerResolver = (_self: unknown, role: unknown, resolver: unknown): void => {
    if (!isFunction(resolver))
      throw new ScriptArgumentInvalid('registerResolver requires a function', { model: roles.name })
    access.registerRole(String(role), async (context, name) =>
      Boolean(await callScript(resolver, roles.modelClass, [name, scriptContext(context)]))
    )
  }
  return [
    ['registerResolver', 'method', registerResolver],
    ['getRoles', 'promise', (_self, context, options) => getRoles(access, roles, context, options)],
    ['isInRole', 'promise', (_self, role: unknown, context) => isInRole(access, roles, String(role), read(context))],
    ['isOwner', 'promise', (_self, ...args) => isOwner(access, roles, args)],
    ['isAuthenticated', 'promise', (_self, context) => isInRole(access, roles, roleNames.AUTHENTICATED, read(context))]
  ]
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
  const conditions = factsOf(query)
  const { principalType = type, ...where } = factsOf(conditions['where'])
  const model = principalType === type ? modelByType(registry, name) : registry.find(String(principalType))
  if (mappings?.collection === undefined || model?.collection === undefined) return []
  const mine = { roleId: repository.idOf(roles, role), principalType }
  const ids = (await repository.find(mappings, { where: mine }, serverCall())).map((mapping) => mapping['principalId'])
  const idName = model.idProperty?.name ?? 'id'
  return repository.find(model, { ...conditions, where: { ...where, [idName]: { inq: ids } } }, serverCall())
}

/** `role.users`, `role.applications` and `role.roles`: models and types of principals. */
const principalLists = {
  users: ['User', 'USER'],
  applications: ['Application', 'APP'],
  roles: ['Role', 'ROLE']
} as const

/** Adds the members to `Role` that scripts use besides data access. */
export function addRoleMethods(registry: ModelRegistry, access: Access): void {
  const roles = registry.find('Role')
  if (roles === undefined) return
  const names = Object.entries(roleNames).map(([name, value]) => [name, 'value', value] as const)
  installMembers(roles.modelClass, [...names, ...resolverRows(access, roles)], { keepsOwn: true })
  const lists = Object.entries(principalLists).map(([list, [name, type]]): MemberRow<Model> => {
    return [list, 'promise', (role, query) => principalsOf(role, roles, name, type, query)]
  })
  installMembers(roles.modelClass.prototype, lists, { keepsOwn: true })
}
