import type { ModelRegistry } from '@modelwire/core'
import type { FastifyBaseLogger } from 'fastify'
import type { OAuth2 } from './oauth2-app.ts'
import type { OAuth2Parts } from './parts.ts'
import type { Settings } from './settings.ts'

/** Makes what all parts of the server share, and the functions of `app.oauth2`. */
export function makeParts(
  _registry: ModelRegistry,
  _settings: Settings,
  _log: FastifyBaseLogger
): { parts: OAuth2Parts; functions: OAuth2 } {
  throw new Error('the skeleton')
}
