import type { ModelClass, ModelRegistry } from '@modelwire/core'
import { modelByType, type ModelType } from '@modelwire/core/plugin'
import { TestRolesMissing } from './errors.ts'

function storedModel(registry: ModelRegistry, builtIn: string): ModelClass {
  const model = modelByType(registry, builtIn)
  if (model?.collection === undefined)
    throw new TestRolesMissing(`the application has no model ${builtIn} with a data source: register @modelwire/acl`)
  return registry.get(model.name)
}

/** How roles name a user: by its model, where tokens belong to users of several ones. */
function principalType(registry: ModelRegistry, user: ModelType): string {
  const tokens = registry.relations.of(user).get('accessTokens')
  return tokens?.discriminator === undefined ? 'USER' : user.name
}

/**
 * Puts a user into roles; one that does not exist is made.
 * @throws {TestRolesMissing} the application stores no roles
 */
export async function giveRoles(
  registry: ModelRegistry,
  user: { readonly model: ModelType; readonly id: unknown },
  roles: readonly string[]
): Promise<void> {
  if (roles.length === 0) return
  const Role = storedModel(registry, 'Role')
  const RoleMapping = storedModel(registry, 'RoleMapping')
  for (const name of roles) {
    const [role] = await Role.findOrCreate({ where: { name } }, { name })
    const principal = { principalType: principalType(registry, user.model), principalId: String(user.id) }
    await RoleMapping.create({ ...principal, roleId: role.getId() })
  }
}
