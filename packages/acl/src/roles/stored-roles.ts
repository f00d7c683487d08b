import type { Principal } from '@modelwire/core'
import { type FindBuiltIn, repository, serverCall } from '@modelwire/core/plugin'

/** The kinds of principals as mappings name them. */
function mappingsOf({ userId, userModel, appId }: Principal): { principalType: string; principalId: string }[] {
  const user = userId === undefined ? [] : [{ principalType: userModel ?? 'USER', principalId: String(userId) }]
  return appId === undefined ? user : [...user, { principalType: 'APP', principalId: String(appId) }]
}

/**
 * True when a mapping puts the caller into the stored role of this name.
 * @see LoopBack 3: loopback, common/models/role.js, isInRole
 */
export async function isInStoredRole(
  find: FindBuiltIn,
  role: string,
  principal: Principal | undefined
): Promise<boolean> {
  const [roles, mappings] = [find('Role'), find('RoleMapping')]
  const who = principal === undefined ? [] : mappingsOf(principal)
  if (who.length === 0 || roles?.collection === undefined || mappings?.collection === undefined) return false
  const found = await repository.findOne(roles, { where: { name: role } }, serverCall())
  if (found === null) return false
  const where = { roleId: repository.idOf(roles, found), or: who }
  return (await repository.count(mappings, where, serverCall())) > 0
}
