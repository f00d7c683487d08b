import { Type } from '@sinclair/typebox'
import type { FindUser, FindUserByName, VerifyUser } from './user-functions.ts'

const path = (fallback: string, description: string) =>
  Type.Union([Type.String({ minLength: 1 }), Type.Literal(false)], { default: fallback, description })
const fn = (description: string) => Type.Function([], Type.Unknown(), { description })

const closed = { additionalProperties: false } as const
const secret = Type.String({ minLength: 32 })
const view = (page: string) => Type.Optional(Type.String({ minLength: 1, description: `view of the page ${page}` }))

/** The option `session` where it is an object. */
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
        description: 'a text that the key is made of, or a list of them: the first one encrypts'
      })
    ),
    maxAge: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        default: 43_200,
        unit: 's',
        description: 'seconds after which people sign in again'
      })
    ),
    cookieName: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'name of the cookie; absent: __Host-oauth2 over TLS, else oauth2'
      })
    ),
    secure: Type.Optional(
      Type.Boolean({
        description: 'the cookie is sent over TLS alone; absent: where the issuer, or the request, is https'
      })
    )
  },
  closed
)

/** Options of pages and sessions. */
export const pageOptions = {
  loginPath: Type.Optional(path('/login', 'where the login form is sent; false: none')),
  logoutPath: Type.Optional(path('/logout', 'ends the session; false: none')),
  loginPage: Type.Optional(
    Type.String({ description: 'address of a login page of your own; absent: /login, served by the plugin' })
  ),
  decisionPage: Type.Optional(
    Type.String({ description: 'address of a consent page of your own; wins over the view' })
  ),
  decisionView: Type.Optional(
    Type.String({ description: 'view of the consent page: `dialog` where views are set up' })
  ),
  session: Type.Optional(
    Type.Union([Type.Boolean(), SessionSchema], {
      description: 'the session of people who signed in, in a cookie; false: none'
    })
  ),
  pages: Type.Optional(
    Type.Object(
      {
        name: Type.Optional(
          Type.String({
            minLength: 1,
            description: 'what the server calls itself; the host of issuer unless that is an address'
          })
        ),
        css: Type.Optional(Type.String({ description: 'rules of your own, after the built-in ones' })),
        views: Type.Optional(
          Type.Object(
            {
              login: view('to sign in'),
              error: view('of an error that cannot be sent to a client'),
              device: view('for codes of devices'),
              logout: view('to sign out'),
              done: view('that says that all is done')
            },
            { ...closed, description: 'views of @fastify/view in place of pages' }
          )
        )
      },
      closed
    )
  ),
  authenticateUser: Type.Optional(
    Type.Unsafe<VerifyUser>(fn('checks a name and a password, where there is no user model with a login'))
  ),
  findUser: Type.Optional(Type.Unsafe<FindUser>(fn('finds a user by id, where there is no user model'))),
  findUserByName: Type.Optional(
    Type.Unsafe<FindUserByName>(fn('finds a user by name or address, where there is no user model'))
  )
}
