import type { ModelRegistry } from '@modelwire/core'
import type { ModelType } from '@modelwire/core/plugin'

/** How tokens belong to the users of a model. */
export interface TokenOwnership {
  readonly model: ModelType
  /** The property that holds the id of the user. */
  readonly foreignKey: string
  /** The property that holds the name of the user model, where there are several. */
  readonly discriminator: string | undefined
}

/** The tokens of a user model. @throws {UnknownModel} their model does not exist */
export function tokensOf(registry: ModelRegistry, userModel: ModelType, defaultName: string): TokenOwnership {
  const relation = registry.relations.of(userModel).get('accessTokens')
  return {
    model: relation?.to ?? registry.typeOf(defaultName),
    foreignKey: relation?.keyTo ?? 'userId',
    discriminator: relation?.discriminator?.property
  }
}
