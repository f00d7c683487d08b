import { ScriptArgumentInvalid } from '@modelwire/loopback-express'
import { modelByType } from '@modelwire/core/plugin'
import { acceptCallback, isFunction, type ScriptFunction } from '../callback-bridge.ts'
import { callScript } from './call-script.ts'
import { memberOf } from './member-of.ts'
import { isBuiltIn } from './script-authorization.ts'
import type { ScriptModel } from '../scripts/model/script-model.ts'

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
  if (!isFunction(check)) throw new ScriptArgumentInvalid('there are no access rules', { model: model.modelName })
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
export const checkAccess: ScriptFunction = acceptCallback(async function (this: unknown, ...args) {
  const model = this as typeof ScriptModel // called on a model
  const [token, , , context] = args
  const knowsMore = isBuiltIn(rulesOf(model).check) && isOwnCall(context, token)
  const own = knowsMore ? await model.app.authorization.obeysRules(context) : undefined
  return own ?? ask(model, args)
})
