import { ScriptArgumentInvalid } from '../../errors.ts'
import { acceptCallback, isFunction, type ScriptFunction } from '../../callback-bridge.ts'
import { callScript } from '../../access/script-question.ts'
import { memberOf } from '../../script-members.ts'
import { isBuiltIn } from '../../access/script-authorization.ts'
import type { ScriptModel } from './script-model.ts'
import { modelByType } from '@modelwire/core/plugin'

/** The call is under way, and the token is its own: its guard knows more than a question about it. */
const isOwnCall = (context: unknown, token: unknown): boolean =>
  (memberOf(memberOf(context, 'req'), 'accessToken') ?? undefined) === (token ?? undefined)

/** The function of `ACL` that evaluates the application's rules. */
function rulesOf(model: typeof ScriptModel): { readonly self: unknown; readonly check: unknown } {
  const self = modelByType(model.modelType.registry, 'ACL')?.modelClass
  return { self, check: memberOf(self, 'checkAccessForContext') }
}

/** @throws {ScriptArgumentInvalid} the application has no access control */
async function ask(model: typeof ScriptModel, args: readonly unknown[]): Promise<boolean> {
  const [accessToken, modelId, method, remotingContext] = args
  const { self, check } = rulesOf(model)
  if (!isFunction(check)) throw new ScriptArgumentInvalid('no access rules are defined', { model: model.modelName })
  const property = typeof method === 'string' ? method : memberOf(method, 'name')
  const accessType = memberOf(method, 'accessType') ?? 'EXECUTE'
  const call = { property, method: property, sharedMethod: method, modelId, accessType }
  const request = await callScript(check, self, [{ accessToken, model, ...call, remotingContext }])
  const isAllowed = memberOf(request, 'isAllowed')
  return isFunction(isAllowed) && Boolean(isAllowed.call(request))
}

/**
 * `Model.checkAccess`: checks whether a call is allowed.
 * @see LoopBack 3: loopback, lib/model.js, checkAccess
 */
export const checkAccess: ScriptFunction = acceptCallback(async function (this: typeof ScriptModel, ...args) {
  const [token, , , context] = args
  const knowsMore = isBuiltIn(rulesOf(this).check) && isOwnCall(context, token)
  const own = knowsMore ? await this.app.authorization.obeysRules(context) : undefined
  return own ?? ask(this, args)
})
