import type { ModelRegistry } from '@modelwire/core'
import type { FastifyBaseLogger } from 'fastify'
import type { ClientDirectory } from './clients/client-directory.ts'
import type { StateStore, TokenStore } from './seams.ts'
import type { Settings } from './settings.ts'
import type { UserDirectory } from './users/user-directory.ts'

/** What every part of the server works with. */
export interface OAuth2Parts {
  readonly registry: ModelRegistry
  readonly settings: Settings
  readonly tokens: TokenStore
  readonly states: StateStore
  readonly clients: ClientDirectory
  readonly users: UserDirectory
  readonly log: FastifyBaseLogger
}
