import type { Model } from '@modelwire/core'
import { attemptOptions, type WithDefaults } from '@modelwire/server'
import { type Static, Type } from '@sinclair/typebox'

const closed = { additionalProperties: false } as const

/** Where requests are searched for tokens. The names are those of LoopBack's `loopback#token`. */
export const TokenOptionsSchema = Type.Object(
  {
    params: Type.Optional(Type.Array(Type.String(), { description: 'additional path and query parameters' })),
    headers: Type.Optional(Type.Array(Type.String(), { description: 'additional headers' })),
    cookies: Type.Optional(Type.Array(Type.String(), { description: 'names of signed cookies' })),
    cookieOrigins: Type.Optional(
      Type.Union([Type.Boolean(), Type.Array(Type.String())], {
        default: false,
        description:
          'other origins whose pages may make changes with the token in a cookie; true allows every origin, as in LoopBack, and leaves the cookie open to cross-site request forgery (CSRF)'
      })
    ),
    searchDefaultTokenKeys: Type.Optional(
      Type.Boolean({ default: true, description: 'also read access_token, X-Access-Token and Authorization' })
    ),
    bearerTokenBase64Encoded: Type.Optional(
      Type.Boolean({ default: false, description: 'decode Bearer tokens as Base64, as LoopBack does' })
    ),
    currentUserLiteral: Type.Optional(
      Type.String({ minLength: 1, description: "path segment that stands for the caller's id, such as me" })
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

/** A requested password reset: the user, and the token for setting the new password. */
export interface ResetRequest {
  readonly email: string
  readonly accessToken: Model
  readonly user: Model
  readonly options: Readonly<Record<string, unknown>>
}

/** Called for a password reset request: sends the token to the email address. */
export type OnResetRequest = (request: ResetRequest) => unknown

const RateLimitSchema = Type.Object(
  {
    max: Type.Optional(
      Type.Integer({ minimum: 1, default: 100, unit: 'attempts', description: 'attempts per address' })
    ),
    timeWindow: Type.Optional(
      Type.Integer({
        minimum: 1000,
        default: 60_000,
        unit: 'ms',
        description: 'period in milliseconds in which they are counted'
      })
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
      Type.String({ description: 'data source of users and tokens; may be omitted if there is only one' })
    ),
    tokenCacheAge: Type.Optional(
      Type.Number({
        minimum: 0,
        default: 1,
        unit: 's',
        description: 'seconds until the end of a token in another process is noticed at the latest; 0: immediately'
      })
    ),
    tokenCacheSize: Type.Optional(
      Type.Integer({
        minimum: 1,
        default: 10_000,
        unit: 'tokens',
        description: 'tokens cached in memory at most'
      })
    ),
    renewTokens: Type.Optional(
      Type.Boolean({ default: false, description: 'renew a token that is used in the second half of its life' })
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
          "format of new password hashes; a hash in the other format is replaced at the next login. LoopBack's: bcrypt"
      })
    ),
    argon2: Type.Optional(Argon2Schema),
    parallelHashes: Type.Optional(
      Type.Integer({
        minimum: 1,
        unit: 'passwords',
        description: 'passwords hashed at once; one less than the number of cores by default, which is the maximum'
      })
    ),
    revealAccounts: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'a password reset reveals that an address has no account, as LoopBack does'
      })
    ),
    protectAccounts: Type.Optional(
      Type.Boolean({
        default: true,
        description:
          'clients cannot set emailVerified, verificationToken, the realm or the hash of their own account, new or existing'
      })
    ),
    applications: Type.Optional(
      Type.Boolean({ default: false, description: "define LoopBack's model Application, for client applications" })
    ),
    confirmRedirects: Type.Optional(
      Type.Union([Type.Boolean(), Type.Array(Type.String())], {
        default: false,
        description:
          'origins to which confirm may redirect in addition to this server and verifyOptions.redirect; true: any, as in LoopBack'
      })
    ),
    resetTokenOnce: Type.Optional(Type.Boolean({ default: true, description: 'a reset token can be used only once' })),
    rateLimit: Type.Optional(
      Type.Union([Type.Literal(false), RateLimitSchema], {
        default: {},
        description: 'of authentication attempts, and of messages; false: none'
      })
    ),
    publicUrl: Type.Optional(
      Type.String({
        pattern: '^https?://[^/?#@]+(/[^?#]*)?$',
        description: 'public URL of this server, for links in messages; where it listens by default'
      })
    ),
    mailFrom: Type.Optional(
      Type.String({ minLength: 1, description: "sender of messages that do not set one; the mailer's own by default" })
    ),
    apiRoot: Type.Optional(Type.String({ default: '/api', description: 'path of the API, for links in messages' })),
    onResetRequest: Type.Optional(
      Type.Unsafe<OnResetRequest>(
        Type.Function([], Type.Unknown(), { description: 'called with a user who forgot a password, and a token' })
      )
    ),
    sendMail: Type.Optional(
      Type.Unsafe<SendMail>(Type.Function([], Type.Unknown(), { description: 'sends the verification messages' }))
    )
  },
  closed
)
export type UsersOptions = Static<typeof UsersOptionsSchema>

/** The options with their defaults. */
export type UsersSettings = WithDefaults<typeof UsersOptionsSchema>
