import type { ModelRegistry } from '@modelwire/core'
import { InvalidOption } from '@modelwire/core/plugin'
import type { FastifyBaseLogger } from 'fastify'
import { makeClientDirectory } from './clients/client-directory.ts'
import { makeClientFunctions } from './clients/client-functions.ts'
import { limitGuesses } from './http/limit-guesses.ts'
import type { ModelNames } from './models/model-names.ts'
import type { OAuth2 } from './oauth2-app.ts'
import type { OAuth2Parts } from './parts.ts'
import type { Settings } from './settings.ts'
import { makeCodeVault } from './store/code-vault.ts'
import { endTokens } from './store/end-tokens.ts'
import { makePermissions } from './store/permissions.ts'
import { purgeExpired } from './store/purge-expired.ts'
import { makeStateStore } from './store/state-store.ts'
import { makeTokenVault } from './store/token-vault.ts'
import { makeUserDirectory } from './users/user-directory.ts'

/** Makes what all parts of the server share. */
export function makeParts(
  registry: ModelRegistry,
  names: ModelNames,
  settings: Settings,
  log: FastifyBaseLogger
): OAuth2Parts {
  const model = (name: string) => () => registry.get(name)
  const users = names.users === undefined ? undefined : model(names.users)
  return {
    registry,
    names,
    settings,
    tokens: makeTokenVault(model(names.accessTokens)),
    codes: makeCodeVault(model(names.authorizationCodes)),
    states: makeStateStore(registry),
    permissions: makePermissions(model(names.permissions)),
    clients: makeClientDirectory(model(names.clients), log),
    users: makeUserDirectory(users, settings.options),
    guesses: limitGuesses(registry.attempts, names.users, settings.options.rateLimit),
    log
  }
}

/** Stands for `authenticate` until the resource server sets its own. */
function refuseAuthenticate(): never {
  throw new InvalidOption('authenticate needs the resource server', { key: 'resourceServer' })
}

/** Makes the functions of `app.oauth2`. */
export function makeFunctions({ registry, names, settings, tokens, codes, states, permissions }: OAuth2Parts): OAuth2 {
  const revokeClient = async (id: string): Promise<void> => {
    await permissions.removeClient(id)
    await codes.revokeClient(id)
    await tokens.revokeClient(id)
  }
  return {
    settings,
    tokens,
    states,
    authenticate: refuseAuthenticate,
    clients: makeClientFunctions(() => registry.get(names.clients), revokeClient),
    async revokeUser(userId, clientId) {
      await permissions.remove(userId, clientId)
      await endTokens({ states, tokens, codes }, [userId], clientId)
    },
    purgeExpired: (now = new Date()) => purgeExpired(registry, names, now)
  }
}
