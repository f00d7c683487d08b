import type { ModelRegistry } from '@modelwire/core'
import type { FastifyBaseLogger } from 'fastify'
import type { ClientDirectory } from './clients/client-directory.ts'
import type { GuessLimits } from './http/limit-guesses.ts'
import type { ModelNames } from './models/model-names.ts'
import type { StateStore } from './seams.ts'
import type { Settings } from './settings.ts'
import type { CodeVault } from './store/code-vault.ts'
import type { Permissions } from './store/permissions.ts'
import type { TokenVault } from './store/token-vault.ts'
import type { UserDirectory } from './users/user-directory.ts'

/** What every part of the server works with. */
export interface OAuth2Parts {
  readonly registry: ModelRegistry
  readonly names: ModelNames
  readonly settings: Settings
  readonly tokens: TokenVault
  readonly codes: CodeVault
  readonly states: StateStore
  readonly permissions: Permissions
  readonly clients: ClientDirectory
  readonly users: UserDirectory
  readonly guesses: GuessLimits
  readonly log: FastifyBaseLogger
}
