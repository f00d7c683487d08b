import { Type } from '@sinclair/typebox'
import type { FindUser, FindUserByName, VerifyUser } from './option-functions.ts'

const path = (fallback: string, description: string) =>
  Type.Union([Type.String({ minLength: 1 }), Type.Literal(false)], { default: fallback, description })
const fn = (description: string) => Type.Function([], Type.Unknown(), { description })

const closed = { additionalProperties: false } as const
const secret = Type.String({ minLength: 32 })
const view = (page: string) => Type.Optional(Type.String({ minLength: 1, description: `view of the page ${page}` }))

/** The option `session` if it is an object. */
export const SessionSchema = Type.Object(
  {
    key: Type.Optional(
      Type.Unknown({
        title: 'Buffer or list of Buffer',
        description: '32 bytes, or a list of them: the first one encrypts'
      })
    ),
    secret: Type.Optional(
      Type.Union([secret, Type.Array(secret, { minItems: 1 })], {
        description: 'a string from which the key is derived, or a list of them: the first one encrypts'
      })
    ),
    maxAge: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        default: 43_200,
        unit: 's',
        description: 'seconds after which users must sign in again'
      })
    ),
    cookieName: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'name of the cookie; __Host-oauth2 over TLS by default, else oauth2'
      })
    ),
    secure: Type.Optional(
      Type.Boolean({
        description: 'only send the cookie over TLS; by default if the issuer, or the request, is https'
      })
    )
  },
  closed
)

/** Options of pages and sessions. */
export const pageOptions = {
  loginPath: Type.Optional(path('/login', 'path to which the login form is submitted; false: none')),
  logoutPath: Type.Optional(path('/logout', 'path that ends the session; false: none')),
  loginPage: Type.Optional(
    Type.String({ description: 'URL of a custom login page; /login by default, served by the plugin' })
  ),
  decisionPage: Type.Optional(
    Type.String({ description: 'URL of a custom consent page; takes precedence over the view' })
  ),
  decisionView: Type.Optional(Type.String({ description: 'view of the consent page: `dialog` if views are set up' })),
  session: Type.Optional(
    Type.Union([Type.Boolean(), SessionSchema], {
      description: 'cookie session of signed-in users; false: none'
    })
  ),
  pages: Type.Optional(
    Type.Object(
      {
        name: Type.Optional(
          Type.String({
            minLength: 1,
            description: 'display name of the server; the host of issuer by default, unless that is an IP address'
          })
        ),
        css: Type.Optional(Type.String({ description: 'custom CSS rules, after the built-in ones' })),
        views: Type.Optional(
          Type.Object(
            {
              login: view('to sign in'),
              error: view('of an error that cannot be sent to a client'),
              device: view('for device codes'),
              logout: view('to sign out'),
              done: view('that confirms success')
            },
            { ...closed, description: 'views of @fastify/view, instead of the built-in pages' }
          )
        )
      },
      closed
    )
  ),
  authenticateUser: Type.Optional(
    Type.Unsafe<VerifyUser>(fn('verifies user name and password, if no user model has a login'))
  ),
  findUser: Type.Optional(Type.Unsafe<FindUser>(fn('finds a user by id, if there is no user model'))),
  findUserByName: Type.Optional(
    Type.Unsafe<FindUserByName>(fn('finds a user by user name or email address, if there is no user model'))
  )
}
