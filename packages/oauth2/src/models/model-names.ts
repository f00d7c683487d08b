import type { ModelRegistry } from '@modelwire/core'
import { modelByType } from '@modelwire/core/plugin'
import type { WrittenOptions } from '../options/option-table.ts'

/** Names of the models that play a part. */
export interface ModelNames {
  /** Undefined where the application has no user model. */
  readonly users: string | undefined
  readonly clients: string
  readonly accessTokens: string
  readonly authorizationCodes: string
  readonly permissions: string
}

/** A model as an option names it: by its name, or as its class. */
const nameOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value
  const name: unknown = typeof value === 'function' && 'modelName' in value ? value.modelName : undefined
  return typeof name === 'string' ? name : undefined
}

/**
 * The models that the options name, else the first ones with a data source that extend the built-in ones.
 * @throws {UnknownModel} an option names a model that there is not
 */
export function modelNames(registry: ModelRegistry, options: WrittenOptions): ModelNames {
  const { models = {}, userModel, applicationModel } = options
  const named = (value: unknown): string | undefined => {
    const name = nameOf(value)
    return name === undefined ? undefined : registry.typeOf(name).name
  }
  return {
    users: named(models.users) ?? named(userModel) ?? modelByType(registry, 'User')?.name,
    clients:
      named(models.clients) ??
      named(applicationModel) ??
      modelByType(registry, 'OAuthClientApplication')?.name ??
      'OAuthClientApplication',
    accessTokens: named(models.accessTokens) ?? 'OAuthAccessToken',
    authorizationCodes: named(models.authorizationCodes) ?? 'OAuthAuthorizationCode',
    permissions: named(models.permission) ?? 'OAuthPermission'
  }
}
