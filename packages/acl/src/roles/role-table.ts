import { modelByType, type Registry, repository, serverCall } from '@modelwire/core/plugin'
import type { IsOwner } from './is-owner.ts'
import type { RoleContext, RoleResolver } from './role-context.ts'
import type { Principal } from '@modelwire/core'

/** LB3: an application that calls by itself is known, too. */
const isAuthenticated = ({ principal }: RoleContext): boolean =>
  principal?.userId !== undefined || principal?.appId !== undefined

/** The roles that every application has. */
export const builtInRoles: readonly string[] = ['$owner', '$authenticated', '$unauthenticated', '$everyone']

/** The roles of an application: built-in ones, those that functions resolve, stored ones. */
export class RoleTable {
  readonly #resolvers = new Map<string, RoleResolver>()
  readonly #registry: Registry
  #hasScripted = false

  constructor(registry: Registry, isOwner: IsOwner) {
    this.#registry = registry
    this.register('$owner', ({ model, modelId, record, principal, accessToken }) =>
      isOwner({ model, id: modelId, record, accessToken }, principal)
    )
    this.register('$authenticated', isAuthenticated)
    this.register('$unauthenticated', (context) => !isAuthenticated(context))
    this.register('$everyone', () => true)
    this.#hasScripted = false
  }

  /** True if the application registered a resolver, which gets the call. */
  get hasScripted(): boolean {
    return this.#hasScripted
  }

  /** Registers a function that decides who is in a role, replacing one with the same name. */
  register(role: string, resolver: RoleResolver): void {
    this.#resolvers.set(role, resolver)
    this.#hasScripted = true
  }

  /** The roles that functions resolve, the built-in ones first. */
  get resolved(): readonly string[] {
    return [...this.#resolvers.keys()]
  }

  /** True for a role with a resolver. */
  has(role: string): boolean {
    return this.#resolvers.has(role)
  }

  /** Whether the caller is in a role. False for unknown roles. */
  isIn(role: string, context: RoleContext): boolean | Promise<boolean> {
    const resolver = this.#resolvers.get(role)
    return resolver === undefined ? isInStoredRole(this.#registry, role, context.principal) : resolver(context, role)
  }
}

/** The kinds of principals as mappings name them. */
function mappingsOf({ userId, userModel, appId }: Principal): { principalType: string; principalId: string }[] {
  const user = userId === undefined ? [] : [{ principalType: userModel ?? 'USER', principalId: String(userId) }]
  return appId === undefined ? user : [...user, { principalType: 'APP', principalId: String(appId) }]
}

/**
 * True when a mapping puts the caller into the stored role of this name.
 * @see LoopBack 3: loopback, common/models/role.js, isInRole
 */
async function isInStoredRole(registry: Registry, role: string, principal: Principal | undefined): Promise<boolean> {
  const [roles, mappings] = [modelByType(registry, 'Role'), modelByType(registry, 'RoleMapping')]
  const who = principal === undefined ? [] : mappingsOf(principal)
  if (who.length === 0 || roles?.collection === undefined || mappings?.collection === undefined) return false
  const found = await repository.findOne(roles, { where: { name: role } }, serverCall())
  if (found === null) return false
  const where = { roleId: repository.idOf(roles, found), or: who }
  return (await repository.count(mappings, where, serverCall())) > 0
}
