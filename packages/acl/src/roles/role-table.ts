import type { ModelRegistry } from '@modelwire/core'
import type { IsOwner } from './is-owner.ts'
import type { RoleContext, RoleResolver } from './role-context.ts'
import { isInStoredRole } from './stored-roles.ts'

/** LB3: a client application that acts for itself is authenticated, too; LoopBack's context counts users and applications. */
const isAuthenticated = ({ principal }: RoleContext): boolean =>
  principal?.userId !== undefined || principal?.appId !== undefined

/** The roles of an application: built-in ones, those that functions resolve, stored ones. */
export class RoleTable {
  readonly #resolvers = new Map<string, RoleResolver>()
  readonly #registry: ModelRegistry

  constructor(registry: ModelRegistry, isOwner: IsOwner) {
    this.#registry = registry
    this.register('$everyone', () => true)
    this.register('$authenticated', isAuthenticated)
    this.register('$unauthenticated', (context) => !isAuthenticated(context))
    this.register('$owner', ({ model, modelId, record, principal }) =>
      isOwner({ model, id: modelId, record }, principal)
    )
  }

  /** Lets a function say who is in a role; one of the same name is replaced. */
  register(role: string, resolver: RoleResolver): void {
    this.#resolvers.set(role, resolver)
  }

  /** A function says who is in this role. */
  has(role: string): boolean {
    return this.#resolvers.has(role)
  }

  /** Whether the caller is in a role. Unknown roles hold nobody. */
  isIn(role: string, context: RoleContext): boolean | Promise<boolean> {
    const resolver = this.#resolvers.get(role)
    return resolver === undefined ? isInStoredRole(this.#registry, role, context.principal) : resolver(context, role)
  }
}
