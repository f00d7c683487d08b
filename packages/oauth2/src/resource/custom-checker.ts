import { Model } from '@modelwire/core'
import { isPlainObject } from '@modelwire/core/plugin'
import type { FastifyRequest } from 'fastify'
import { InvalidToken, OAuthError } from '../errors.ts'
import type { CheckAccessToken } from '../options/resource-options.ts'
import type { TokenAccess } from './token-access.ts'

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields => (value instanceof Model || isPlainObject(value) ? value : {})
const dateOf = (value: unknown): Date | undefined => (value instanceof Date ? value : undefined)

/** What the application's function found, as the server has it. @throws {InvalidToken} it found nothing */
function readFound(user: unknown, info: unknown): TokenAccess {
  const { accessToken, client, app } = fieldsOf(info)
  const token = fieldsOf(accessToken)
  const clientId = token['appId'] ?? token['clientId'] ?? fieldsOf(client ?? app)['id']
  if (user === undefined || user === null || user === false || clientId === undefined || clientId === null)
    throw new InvalidToken('the token is unknown')
  const { scopes } = token
  return {
    clientId: String(clientId),
    userId: token['userId'] ?? fieldsOf(user)['id'] ?? undefined,
    scopes: Array.isArray(scopes) ? scopes.map(String) : [],
    issuedAt: dateOf(token['issuedAt']),
    expiresAt: dateOf(token['expiredAt']),
    user,
    client: client ?? app,
    record: accessToken
  }
}

const asRefusal = (error: unknown): unknown =>
  error instanceof OAuthError ? error : new InvalidToken('the token was refused', { cause: error })

/**
 * Makes the function that checks tokens by `checkAccessToken`, which calls back as with loopback-component-oauth2: an
 * error, or the user and `{ accessToken, client }`.
 */
export function customChecker(ask: CheckAccessToken): (token: string, request: FastifyRequest) => Promise<TokenAccess> {
  return (token, request) =>
    new Promise((resolve, reject) => {
      ask(request.raw, token, (error, user, info) => {
        try {
          if (error !== undefined && error !== null) throw asRefusal(error)
          resolve(readFound(user, info))
        } catch (refused) {
          reject(refused)
        }
      })
    })
}
