import type { ModelRegistry } from '@modelwire/core'
import { isOfModel, type ModelType } from '@modelwire/core/plugin'
import { TestUserModelAmbiguous, TestUserModelMissing } from './errors.ts'

const hasTokens = ({ modelClass, collection }: ModelType): boolean =>
  collection !== undefined && typeof Reflect.get(modelClass.prototype, 'createAccessToken') === 'function'

/**
 * The model of the application's users: the named one, else the only one that extends `User`, else `User`.
 * @throws {TestUserModelMissing} there is none, or it has no tokens
 * @throws {TestUserModelAmbiguous} several extend `User`
 */
export function findUserModel(registry: ModelRegistry, named: string | undefined): ModelType {
  const all = registry.names().map((name) => registry.typeOf(name))
  const able = all.filter((model) => hasTokens(model) && (named === undefined || model.name === named))
  const extending = able.filter((model) => model.name !== 'User' && isOfModel(model, 'User'))
  const [found, other] = extending.length > 0 ? extending : able
  if (found === undefined) {
    const which = named === undefined ? 'no model of users' : `no model of users named "${named}"`
    throw new TestUserModelMissing(`the application has ${which}: register @modelwire/users and give it a data source`)
  }
  if (other === undefined) return found
  const names = extending.map(({ name }) => name).join(', ')
  throw new TestUserModelAmbiguous(`several models are users: name one of ${names} by "model"`)
}
