import type { FindBuiltIn } from '@modelwire/core/plugin'
import type { IsOwner } from './is-owner.ts'
import type { RoleContext, RoleResolver } from './role-context.ts'
import { isInStoredRole } from './stored-roles.ts'

/** LB3: an application that calls by itself is known, too. */
const isAuthenticated = ({ principal }: RoleContext): boolean =>
  principal?.userId !== undefined || principal?.appId !== undefined

/** The roles that every application has. */
export const builtInRoles: readonly string[] = ['$owner', '$authenticated', '$unauthenticated', '$everyone']

/** The roles of an application: built-in ones, those that functions resolve, stored ones. */
export class RoleTable {
  readonly #resolvers = new Map<string, RoleResolver>()
  readonly #find: FindBuiltIn

  constructor(find: FindBuiltIn, isOwner: IsOwner) {
    this.#find = find
    this.register('$owner', ({ model, modelId, record, principal, accessToken }) =>
      isOwner({ model, id: modelId, record, accessToken }, principal)
    )
    this.register('$authenticated', isAuthenticated)
    this.register('$unauthenticated', (context) => !isAuthenticated(context))
    this.register('$everyone', () => true)
  }

  /** Registers a function that decides who is in a role; one of the same name is replaced. */
  register(role: string, resolver: RoleResolver): void {
    this.#resolvers.set(role, resolver)
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
    return resolver === undefined ? isInStoredRole(this.#find, role, context.principal) : resolver(context, role)
  }
}
