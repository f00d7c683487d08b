import { isPlainObject, type ModelRegistry, type ModelType } from '@modelwire/core'

/** How tokens belong to the users of a model. */
export interface TokenOwnership {
  readonly model: ModelType
  /** The property that holds the id of the user. */
  readonly foreignKey: string
  /** The property that holds the name of the user model, where there are several. */
  readonly discriminator: string | undefined
}

/** The tokens of a user model. @throws {UnknownModel} their model does not exist */
export function tokensOf(registry: ModelRegistry, userModel: ModelType, usual = 'AccessToken'): TokenOwnership {
  const relation = userModel.definition.relations?.['accessTokens']
  const { model = usual, foreignKey, polymorphic } = relation ?? {}
  const keys = isPlainObject(polymorphic) ? polymorphic : {}
  const key = foreignKey ?? keys['foreignKey']
  const written = keys['discriminator']
  const discriminator = typeof written === 'string' ? written : 'principalType'
  return {
    model: registry.typeOf(model),
    foreignKey: typeof key === 'string' ? key : 'userId',
    discriminator: polymorphic ? discriminator : undefined
  }
}
