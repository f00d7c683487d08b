import { attemptOptions, type WithDefaults } from '@modelwire/core/plugin'
import { type Static, Type } from '@sinclair/typebox'
import type { ResetRequest } from './accounts/reset-request.ts'

const closed = { additionalProperties: false } as const

/** Where tokens are looked for in requests. The names are those of LoopBack's `loopback#token`. */
export const TokenOptionsSchema = Type.Object(
  {
    params: Type.Optional(Type.Array(Type.String(), { description: 'further parameters of the path and the query' })),
    headers: Type.Optional(Type.Array(Type.String(), { description: 'further headers' })),
    cookies: Type.Optional(Type.Array(Type.String(), { description: 'names of signed cookies' })),
    cookieOrigins: Type.Optional(
      Type.Union([Type.Boolean(), Type.Array(Type.String())], {
        default: false,
        description:
          'other origins whose pages may change something by the token in a cookie; true allows every origin, as in LoopBack, and leaves the cookie open to cross-site request forgery (CSRF)'
      })
    ),
    searchDefaultTokenKeys: Type.Optional(
      Type.Boolean({ default: true, description: 'look for access_token, X-Access-Token and Authorization, too' })
    ),
    bearerTokenBase64Encoded: Type.Optional(
      Type.Boolean({ default: false, description: 'a Bearer token is written in Base64, as LoopBack reads it' })
    ),
    currentUserLiteral: Type.Optional(
      Type.String({ minLength: 1, description: "a segment of paths that stands for the caller's id, such as me" })
    )
  },
  { ...closed, default: {} }
)
export type TokenOptions = Static<typeof TokenOptionsSchema>

/** The token options with their defaults. */
export type TokenSettings = WithDefaults<typeof TokenOptionsSchema>

/** A message to a user. */
export interface MailMessage {
  readonly to: string
  readonly from?: string | undefined
  readonly subject: string
  readonly text: string
  readonly html: string
  readonly [key: string]: unknown
}

/** Sends messages. */
export type SendMail = (message: MailMessage) => Promise<unknown>

/** Called for a password reset request: sends the token to the address. */
export type OnResetRequest = (request: ResetRequest) => unknown

const RateLimitSchema = Type.Object(
  {
    max: Type.Optional(
      Type.Integer({ minimum: 1, default: 100, unit: 'attempts', description: 'attempts of one address' })
    ),
    timeWindow: Type.Optional(
      Type.Integer({ minimum: 1000, default: 60_000, unit: 'ms', description: 'milliseconds in which they count' })
    ),
    ...attemptOptions
  },
  closed
)

const Argon2Schema = Type.Object(
  {
    memory: Type.Optional(Type.Integer({ minimum: 8, default: 19_456, unit: 'KiB', description: 'KiB for each hash' })),
    passes: Type.Optional(
      Type.Integer({ minimum: 1, default: 2, unit: 'passes', description: 'passes over that memory' })
    )
  },
  { ...closed, default: {} }
)

/** Options of the plugin `users`. */
export const UsersOptionsSchema = Type.Object(
  {
    tokens: Type.Optional(TokenOptionsSchema),
    accessTokenModel: Type.Optional(Type.String({ default: 'AccessToken', description: 'model that holds tokens' })),
    dataSource: Type.Optional(
      Type.String({ description: 'where users and tokens are kept; the only data source where there is one' })
    ),
    tokenCacheAge: Type.Optional(
      Type.Number({
        minimum: 0,
        default: 1,
        unit: 's',
        description: 'seconds after which the end of a token in another process is noticed at the latest; 0: at once'
      })
    ),
    tokenCacheSize: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: 10_000,
        unit: 'tokens',
        description: 'tokens that are kept in memory at most'
      })
    ),
    renewTokens: Type.Optional(
      Type.Boolean({ default: false, description: 'a token that is used in the second half of its life starts anew' })
    ),
    maxSessionAge: Type.Optional(
      Type.Integer({
        minimum: 1,
        unit: 's',
        description:
          'seconds after which a session ends, however often its token was renewed; adds sessionStart to the model of tokens'
      })
    ),
    passwordHash: Type.Optional(
      Type.Union([Type.Literal('bcrypt'), Type.Literal('argon2id')], {
        default: 'bcrypt',
        description:
          "form of new password hashes; one of the other form is made anew at the next login. LoopBack's: bcrypt"
      })
    ),
    argon2: Type.Optional(Argon2Schema),
    parallelHashes: Type.Optional(
      Type.Integer({
        minimum: 1,
        unit: 'passwords',
        description: 'passwords that are worked on at once; one less than there are cores, which is the most'
      })
    ),
    revealAccounts: Type.Optional(
      Type.Boolean({ default: false, description: 'a reset tells that an address has no account, as LoopBack does' })
    ),
    protectAccounts: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'clients cannot set emailVerified, verificationToken, the realm or the hash of their own account, new or old'
      })
    ),
    applications: Type.Optional(
      Type.Boolean({ default: false, description: "defines LoopBack's model Application, of client applications" })
    ),
    confirmRedirects: Type.Optional(
      Type.Union([Type.Boolean(), Type.Array(Type.String())], {
        default: false,
        description:
          'where confirm may send people besides this server and verifyOptions.redirect: origins; true: anywhere, as in LoopBack'
      })
    ),
    resetTokenOnce: Type.Optional(
      Type.Boolean({ default: true, description: 'the token of a reset works for one new password' })
    ),
    rateLimit: Type.Optional(
      Type.Union([Type.Literal(false), RateLimitSchema], {
        default: {},
        description: 'of attempts to prove who one is, and of messages; false: none'
      })
    ),
    publicUrl: Type.Optional(
      Type.String({
        pattern: '^https?://[^/?#@]+(/[^?#]*)?$',
        description: 'address of this server as people reach it, for links in messages; where it listens when absent'
      })
    ),
    mailFrom: Type.Optional(
      Type.String({ minLength: 1, description: "sender of messages that name none; the mailer's own when absent" })
    ),
    apiRoot: Type.Optional(Type.String({ default: '/api', description: 'where the API is, for links in messages' })),
    onResetRequest: Type.Optional(
      Type.Unsafe<OnResetRequest>(
        Type.Function([], Type.Unknown(), { description: 'hears of somebody who forgot a password, with a token' })
      )
    ),
    sendMail: Type.Optional(
      Type.Unsafe<SendMail>(Type.Function([], Type.Unknown(), { description: 'sends messages of verify' }))
    )
  },
  closed
)
export type UsersOptions = Static<typeof UsersOptionsSchema>

/** The options with their defaults. */
export type UsersSettings = WithDefaults<typeof UsersOptionsSchema>
